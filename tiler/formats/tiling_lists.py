"""Write long lists of tilings, block by block, and read them: each placement is listed once, and tilings name placements by
number. What is written is never lost: if the disk is full, the whole tilings up to there are kept in a file of their own.

- `.jsonl`: a first line with the placements, `{"schema": "tiler-tilings-1", "placements": [...]}`; then a line for each tiling,
  the numbers of its placements; at the end the answer.
- `.npz`: arrays for numpy. `tilings_0`, `tilings_1`, ... have the shape (tilings, most placements): numbers of placements, where
  shorter rows end with -1. `cells` is the board, shape (cells, 2 or 3); `covers` has the cells of each placement by number, shape
  (placements, most cells), shorter rows again with -1; `tile` the number of its tile. `header` and `answer` are the first and the
  last line of the `.jsonl`, as bytes.
- `.csv`: a column for each cell and a row for each tiling. A cell has the name of the tile that covers it, a dot, and the number
  of the piece in the tiling; nothing if it is open.
"""

from __future__ import annotations

import csv
import io
import json
import sys
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiler import formats, jsontext, portable
from tiler.amounts import counted
from tiler.cover.board import BoardCover
from tiler.errors import BadOption, InputError, TilerError
from tiler.formats import tilings
from tiler.model.lattice import Cell, Shape
from tiler.model.tile import Placement
from tiler.process import files
from tiler.question.events import Found

_MEMBER = 1 << 23  # the most numbers in an array of a .npz
_MAX_BYTES = 1 << 34
_NOTHING_LISTED = {"schema": tilings.LIST_SCHEMA, "placements": []}


class _Whole:
    """A file without a buffer, to which all of a text is written or nothing more."""

    def __init__(self, raw: Any) -> None:
        self._raw = raw
        self.tell, self.seek, self.flush, self.truncate = raw.tell, raw.seek, raw.flush, raw.truncate

    def write(self, content: Any) -> int:
        left = memoryview(content).cast("B")
        while left:
            left = left[self._raw.write(left) :]
        return len(content)


class ListWriter(ABC):
    """A file that takes blocks of tilings."""

    def __init__(self, path: str | None) -> None:
        """Without a path, or with "-", stdout."""
        self._new = None if path is None or path == "-" else files.Replacement(path)
        self._file = _Whole(sys.stdout.buffer if self._new is None else self._new.file.raw)
        self.answer: Mapping[str, Any] | None = None  #: for the last line; known at the end of the block
        self.bytes = 0  #: bytes of whole tilings that are written
        self.tilings = 0  #: tilings that were handed over

    @staticmethod
    def of(form: str, path: str | None) -> ListWriter:
        """The writer of a format."""
        return WRITERS[form](path)

    def __enter__(self) -> ListWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            with self._replacing():
                self._saving(self._end)
        elif self._new is not None:
            self._new.__exit__(kind, error, trace)

    def _replacing(self) -> AbstractContextManager[object]:
        return nullcontext() if self._new is None else self._new

    def add(self, cover: BoardCover, block: Found) -> None:
        """Write some tilings of a cover, given by options without those of fillers."""
        self._saving(lambda: self._add(cover, block))
        self.tilings += len(block)

    def _saving(self, write: Callable[[], None]) -> None:
        """Write something. If that fails, keep what was written before, in a file of its own; TilerError says where."""
        try:
            write()
        except (OSError, TilerError) as error:
            if self._new is None or not self._new.can_be_kept or isinstance(error, BadOption):
                raise
            number = self._cut()
            if not number:
                raise
            words = str(error) if isinstance(error, TilerError) else error.strerror
            raise TilerError(f"{words}; the first {counted(number, 'tiling')} of the list are in {self._new.keep()}") from None
        self.bytes = self._file.tell() if self._new is not None else 0

    def _cut(self) -> int:
        """Make what is written a whole file again, without what does not fit; how many tilings it holds."""
        self._file.truncate(self.bytes)
        return self.tilings

    @abstractmethod
    def _add(self, cover: BoardCover, block: Found) -> None: ...
    @abstractmethod
    def _end(self) -> None: ...


class _LineWriter(ListWriter):
    def _add(self, cover: BoardCover, block: Found) -> None:
        head = "" if self.tilings else f"{json.dumps(header(cover))}\n"
        rows = block.rows.tolist() if block.is_even else list(map(list, block))
        text = str(rows)[1:-1].replace("], [", "]\n[").replace(", ", ",")
        self._file.write(f"{head}{text}\n".encode())

    def _end(self) -> None:
        self._file.write(f"{json.dumps(self.answer)}\n".encode())


class _TableWriter(ListWriter):
    def _add(self, cover: BoardCover, block: Found) -> None:
        if cover.instance.is_painted:
            raise BadOption("a .csv has no colours and marks; write a .jsonl or .npz")
        head = "" if self.tilings else f"{','.join(' '.join(map(str, cell)) for cell in cover.cells)}\n"
        pieces = block.rows.shape[1]
        labels = ["", *(_quoted(f"{name}.{number}") for name in cover.names for number in range(1, pieces + 1))]
        label = 1 + cover.tile[block.rows].astype(np.int64) * pieces + portable.arange(pieces)
        label = np.concatenate([np.zeros((len(block), 1), np.int64), label], axis=1)
        rows = np.take_along_axis(label, cover.pieces_by_cell(block.rows).astype(np.int64), axis=1).tolist()
        text = "\n".join(",".join(map(labels.__getitem__, row)) for row in rows)
        self._file.write(f"{head}{text}\n".encode())

    def _end(self) -> None:
        """A table has nothing but tilings."""


class _ArrayWriter(ListWriter):
    def __init__(self, path: str | None) -> None:
        if path is None or path == "-":
            raise BadOption("a .npz goes into a file: -o all.npz")
        super().__init__(path)
        self._zip = zipfile.ZipFile(self._file, "w")  # type: ignore[call-overload]
        self._whole: list[zipfile.ZipInfo] = []
        self._waiting: list[NDArray[np.int32]] = []
        self._numbers = self._members = self._written = 0

    def _add(self, cover: BoardCover, block: Found) -> None:
        if not self._whole:
            shown = np.flatnonzero(~cover.fills).tolist()
            covered = [[cell for cell in cover.members[option].tolist() if cell < len(cover.cells)] for option in shown]
            self._write("header", _as_array(header(cover)))
            self._write("cells", np.array(cover.cells, np.int32))
            self._write("tile", cover.tile[shown].astype(np.int32))
            self._write("covers", Found.of(covered).rows)
        self._waiting.append(block.rows)
        self._numbers += block.rows.size
        if self._numbers >= _MEMBER:
            self._flush()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self._forget()

    def _forget(self) -> None:
        self._zip.fp = None  # Else it would write its end when it is collected.

    def _flush(self) -> None:
        rows = Found.joined(self._waiting).rows
        self._write(f"tilings_{self._members}", rows)
        self._members, self._written = self._members + 1, self._written + len(rows)
        self._waiting, self._numbers = [], 0

    def _write(self, name: str, array: NDArray[Any]) -> None:
        content = io.BytesIO()
        np.lib.format.write_array(content, array, allow_pickle=False)
        self._zip.writestr(f"{name}.npy", content.getbuffer().tobytes())
        self._whole = self._zip.infolist().copy()

    def _end(self) -> None:
        if self._waiting:
            self._flush()
        self._write("answer", _as_array(self.answer))
        self._zip.close()

    def _cut(self) -> int:
        whole, rows = self._whole, Found.joined(self._waiting).rows
        end = max((info.header_offset + 30 + len(info.filename) + info.compress_size for info in whole), default=0)
        while True:
            self._forget()
            self._file.truncate(end)
            self._file.seek(end)
            self._zip = zipfile.ZipFile(self._file, "w")  # type: ignore[call-overload]
            self._zip.infolist().extend(whole)
            try:
                if len(rows):
                    self._write(f"tilings_{self._members}", rows)
                self._zip.close()
            except (OSError, TilerError):
                if not len(rows):
                    raise
                rows = rows[: len(rows) // 2]
            else:
                return self._written + len(rows)


WRITERS: dict[str, type[ListWriter]] = {"jsonl": _LineWriter, "npz": _ArrayWriter, "csv": _TableWriter}


def header(cover: BoardCover) -> dict[str, Any]:
    """The first line of a list: what the numbers stand for."""
    shown = np.flatnonzero(~cover.fills).tolist()
    return {
        "schema": tilings.LIST_SCHEMA,
        "digest": cover.instance.digest,
        "placements": tilings.to_json(cover.placements(shown)),
    }


def _as_array(data: Mapping[str, Any] | None) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(data).encode(), np.uint8)


def _quoted(text: str) -> str:
    """A field of a table."""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def lines(path: str) -> list[tilings.Line]:
    """The number of every line of a file with the placements of a tiling, or with the object of an answer. A file with another
    ending than .npz and .csv is one of JSON lines. InputError says what is wrong in which line."""
    ending = Path(path).suffix.lower()
    if ending == ".npz":
        return list(_of_arrays(path))
    content = formats.load(path, _MAX_BYTES)
    return list(_of_table(content, path)) if ending == ".csv" else tilings.lines(content, path)


def _of_arrays(path: str) -> Iterator[tilings.Line]:
    try:
        with np.load(io.BytesIO(files.read_up_to(path, _MAX_BYTES)), allow_pickle=False) as arrays:
            about = jsontext.loads(bytes(arrays["header"]).decode()) if "header" in arrays else _NOTHING_LISTED
            rows = [arrays[f"tilings_{number}"] for number in range(sum(name.startswith("tilings_") for name in arrays))]
            answer = jsontext.loads(bytes(arrays["answer"]).decode()) if "answer" in arrays else None
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise InputError(f"not a list of tilings, as `tiler solve --all -o all.npz` writes it ({error!s:.80})", path) from None
    placements = tilings.listed(about)
    number = 0
    for block in rows:
        if block.ndim != 2 or block.dtype.kind != "i":
            raise InputError("not a list of tilings: an array of another shape", path)
        for row in block.tolist():
            number += 1
            yield number, tilings.numbered([option for option in row if option != -1], placements, path, number)
    if isinstance(answer, dict):
        yield number + 1, answer


def _of_table(content: str, path: str) -> Iterator[tilings.Line]:
    if not content:
        return
    reader = csv.reader(io.StringIO(content))
    try:
        cells: list[Cell] = [tuple(map(int, word.split())) for word in next(reader, [])]
    except ValueError:
        raise InputError("not a table of tilings: the first line must name cells, such as 0 0,0 1", path, 1) from None
    if not cells or {len(cell) for cell in cells} not in ({2}, {3}):
        raise InputError("not a table of tilings: the first line must name cells, such as 0 0,0 1", path, 1)
    made: dict[tuple[str, Shape], Placement] = {}
    for number, row in enumerate(reader, 2):
        if len(row) != len(cells):
            raise InputError(f"{counted(len(row), 'cell')}, and the first line has {len(cells)}", path, number)
        pieces: dict[str, list[Cell]] = {}
        for cell, label in zip(cells, row, strict=True):
            if label:
                pieces.setdefault(label, []).append(cell)
        placed = [(label.rpartition(".")[0], frozenset(covered)) for label, covered in pieces.items()]
        yield number, [made.get(piece) or made.setdefault(piece, Placement(*piece)) for piece in placed]
