"""The state of a count on disk, so that it can go on after Ctrl-C, a crash or kill -9.

A file holds the arrays that a search works on (none, if it is split), a note of what is counted already, and what they belong to:
instance, solver, goal and the version of the compiled code. The file is replaced as a whole, so there is always one complete
state. The count that continues from it equals the count of an undisturbed run.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from tiler import jsontext
from tiler.backends.base import Backend
from tiler.backends.registry import able
from tiler.errors import BadOption, InputError
from tiler.kernels.digest import build
from tiler.model.instance import Instance
from tiler.process import files
from tiler.process.memory import resident_megabytes
from tiler.question.events import Saved
from tiler.question.question import Question

SCHEMA = "tiler-checkpoint-1"
_FOREIGN = "not a checkpoint of tiler count"

Arrays = Mapping[str, NDArray[np.generic]]


class Checkpoint:
    """A checkpoint file of one count. `saved` is what it held when it was opened, or None."""

    def __init__(self, path: Path, of: Mapping[str, str], saved: Saved | None, seconds: float, share: float) -> None:
        self.path, self._of, self._seconds, self._share = path, of, seconds, share
        self.saved = saved
        self._next = time.monotonic() + seconds

    @classmethod
    def open(
        cls,
        path: Path,
        instance: Instance,
        backend: Backend,
        question: Question,
        *,
        split: bool = False,
        seconds: float | None = None,
        share: float = 0.01,
    ) -> Checkpoint:
        """Open a file, which need not exist yet, and save to it every few seconds; less often if saving a large state takes long.

        For a `split` count the file has the subproblems that are done, half a second after their end, with any backend.
        BadOption if a backend cannot be stopped and resumed; InputError if the file is no checkpoint, or one of another count.
        """
        if not backend.can_save and not split:
            names = ", ".join(able("can_save"))
            raise BadOption(
                f"{backend.name} cannot save its state; these can: {names}; or split the search with --executor local:2"
            )
        of = {
            "schema": SCHEMA,
            "version": build(),
            "instance": instance.digest,
            "solver": backend.spec,
            "goal": f"{question.goal}{' up to symmetry' if question.up_to_symmetry else ''}{', split' if split else ''}",
        }
        saved = _read(path, of, question.limits.megabytes) if path.exists() else None
        if not path.parent.is_dir():
            raise BadOption(f"cannot write {path}: there is no such folder")
        return cls(path, of, saved, (0.5 if split else 5.0) if seconds is None else seconds, share)

    def is_due(self) -> bool:
        """Whether it is time to save again."""
        return time.monotonic() >= self._next

    def save(self, state: Saved) -> None:
        """Replace the file. TilerError if that cannot be done; the file before is kept then."""
        started = time.monotonic()
        note = json.loads(json.dumps(state.note))  # In the form in which it will be read, where the keys of an object are texts.
        head = {"of": self._of, "note": note, "sum": _sum(state.arrays, note)}
        # The same name every time: the next run overwrites what a kill left behind.
        with files.Replacement(self.path, part=f".{self.path.name}.new", durable=True) as new:
            contents: dict[str, Any] = {"head": np.array(json.dumps(head)), **state.arrays}
            np.savez(new.file, **contents)
        now = time.monotonic()
        self._next = now + max(self._seconds, (now - started) / self._share)

    def remove(self) -> None:
        """Delete the file: the count is done."""
        self.path.unlink(missing_ok=True)


def _read(path: Path, of: Mapping[str, str], megabytes: int | None) -> Saved:
    try:
        with files.ordinary_file(path).open("rb") as file:
            size = _size(file)
            with np.load(file, allow_pickle=False) as data:
                head = jsontext.loads(str(data["head"]))
                before, note = dict(head["of"]), dict(head["note"])
                _refuse_others(before, of)
                if megabytes is not None and resident_megabytes() + size / (1 << 20) > megabytes:
                    needed = math.ceil(resident_megabytes() + size / (1 << 20))
                    raise InputError(
                        f"the memory limit of {megabytes:,} MB is too low: at least {needed:,} MB are needed to go on"
                    )
                arrays = {name: data[name] for name in data.files if name != "head"}
                whole = head.get("sum") == _sum(arrays, note)
    except InputError as error:
        raise error.at(str(path)) from None
    except FileNotFoundError:
        raise InputError("there is no such file", str(path)) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or 'no checkpoint'}", str(path)) from None
    except Exception:  # numpy and zipfile do not document which errors they raise, and they raise many kinds.
        raise InputError(_FOREIGN, str(path)) from None
    if not whole:
        raise InputError("not as it was written: damaged or changed; delete it to begin anew", str(path))
    return Saved(arrays, note)


def _size(file: IO[bytes]) -> int:
    """The bytes of all arrays in a file, which is at its beginning again; InputError if some are not there as they are in memory.

    Only the headers are read: a file that is packed, or that says it has more than there is, could take any amount of memory.
    """
    with zipfile.ZipFile(file) as parts:
        infos = parts.infolist()
        size = sum(info.file_size for info in infos)
        if size > file.seek(0, 2) or any(info.compress_type != zipfile.ZIP_STORED for info in infos):
            raise InputError(_FOREIGN)
        for info in infos:
            with parts.open(info) as part:
                version = np.lib.format.read_magic(part)
                read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
                shape, _, dtype = read(part)
                if math.prod(shape) * dtype.itemsize != info.file_size - part.tell():
                    raise InputError(_FOREIGN)
    file.seek(0)
    return size


def _refuse_others(before: Mapping[str, Any], of: Mapping[str, str]) -> None:
    """InputError for a checkpoint of anything else."""
    for name, value in of.items():
        if before.get(name) != value:
            raise InputError(f"a checkpoint of another {name}: {before.get(name)}, not {value}; name another file")


def _sum(arrays: Arrays, note: Mapping[str, Any]) -> str:
    """A fingerprint of a state: a search that goes on from any other would count wrongly, or worse."""
    digest = hashlib.sha256(json.dumps(note, sort_keys=True).encode())
    for name, array in sorted((name, np.asarray(array)) for name, array in arrays.items()):
        digest.update(f"\0{name} {array.dtype.str} {array.shape}\0".encode())
        digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return digest.hexdigest()[:32]
