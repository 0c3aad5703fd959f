"""Find the results of campaigns by the names that a page gives, below one folder and nowhere else.

A page may be forged, so a name leads to no other place of the machine: its parts are plain, and no part is a link. The reference
campaigns, which come with Tiler, can be read by names that begin with @.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from tiler import printable, version
from tiler.apps.studio.campaign_messages import CampaignEntryMessage, CampaignListMessage
from tiler.bench import store
from tiler.bench.campaign_file import PLAN
from tiler.errors import InputError
from tiler.process import files

REFERENCE = "@"  #: the beginning of names of reference campaigns

_PART = re.compile(r"[^./\\\x00-\x1f\x7f][^/\\\x00-\x1f\x7f]{0,99}")
_NEW = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,59}")
_DEEPEST = 3  # folders below the one of results
_MOST_LISTED = 500
_CHUNK = 1 << 20


class ResultsFolder:
    """The folder below which all campaigns of a studio lie; it need not be there yet."""

    def __init__(self, root: Path, references: Path | None = None) -> None:
        self.root = root
        self.references = _references() if references is None else references

    def existing(self, name: str) -> Path:
        """The folder of that name; InputError if there is none, or if it is, or holds, a link."""
        is_reference = name.startswith(REFERENCE)
        root = self.references if is_reference else self.root
        parts = name.removeprefix(REFERENCE).split("/")
        if root is None or not 1 <= len(parts) <= _DEEPEST or not all(map(_PART.fullmatch, parts)):
            raise InputError(f"there are no results called {_shown(name)}")
        path = root
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise InputError(f"{_shown(name)} is a link now; the studio does not follow links, so open what it leads to")
        if not path.is_dir():
            raise InputError(f"there are no results called {_shown(name)}; they may have been moved")
        _refuse_links(path)
        return path

    def writable(self, name: str) -> Path:
        """The folder of a campaign of one's own, which may go on."""
        if name.startswith(REFERENCE):
            raise InputError("a reference campaign is only looked at")
        path = self.existing(name)
        if not (path / PLAN).is_file():
            raise InputError(f"{_shown(name)} has no {PLAN}: go on with it by the command that made it")
        return path

    def new(self, name: str) -> Path:
        """A new folder, made; InputError if one of that name is there."""
        if not _NEW.fullmatch(name):
            raise InputError("the name of a campaign has letters, digits, - and _, at most 60 of them")
        path = self.root / name
        if path.exists() or path.is_symlink():
            raise InputError(f"there is something called {name} already; choose another name, or open it and go on")
        try:
            path.mkdir(parents=True)
        except OSError as error:
            raise InputError(f"{path} cannot be made: {error.strerror}") from None
        return path

    def listed(self) -> CampaignListMessage:
        """All campaigns, one's own first, the newest first."""
        own = sorted(_campaigns(self.root, ""), key=lambda entry: entry.changed, reverse=True)
        inner = self.references is not None and self.references.resolve().is_relative_to(self.root.resolve())
        if inner and self.references is not None:  # They are listed once.
            below = self.references.resolve().relative_to(self.root.resolve()).as_posix() + "/"
            own = [entry for entry in own if not entry.name.startswith(below)]
        others = [] if self.references is None else sorted(_campaigns(self.references, REFERENCE), key=lambda entry: entry.name)
        return CampaignListMessage(printable.line(str(self.root)), (*own[:_MOST_LISTED], *others))


def owner(folder: Path) -> int | None:
    """The process that makes runs in a folder now; None if there is none."""
    pid = 0
    try:
        text = files.ordinary_file(folder / store.LOCK).read_bytes()[:20].decode("ascii", "replace").strip()
        pid = int(text) if text.isdecimal() else 0
        if pid > 0:
            os.kill(pid, 0)
            return pid
    except PermissionError:
        return pid or None  # It is another user's.
    except (OSError, OverflowError):
        pass
    return None


def stamp(folder: Path) -> str:
    """A text that changes with the records of a folder."""
    try:
        found = (folder / store.RUNS).stat()
    except OSError:
        return "none"
    return f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}"


def _references() -> Path | None:
    """The folder of reference campaigns, in a clone."""
    checkout = Path(version.__file__).parent.parent
    folder = checkout / "results" / "reference"
    return folder if (checkout / "pyproject.toml").is_file() and folder.is_dir() else None


def _campaigns(root: Path, prefix: str) -> Iterator[CampaignEntryMessage]:
    for place, folders, _ in os.walk(root):
        path = Path(place)
        depth = len(path.relative_to(root).parts)
        folders[:] = [] if depth >= _DEEPEST else sorted(name for name in folders if _PART.fullmatch(name))
        runs = path / store.RUNS
        if not depth or path.is_symlink() or not ((runs.is_file() and not runs.is_symlink()) or (path / PLAN).is_file()):
            continue
        changed = datetime.fromtimestamp((runs if runs.is_file() else path).stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
        title = printable.line(store.title_of(path))
        name = path.relative_to(root).as_posix()
        yield CampaignEntryMessage(f"{prefix}{name}", title, _lines(runs), changed, bool(prefix))


def _lines(path: Path) -> int:
    try:
        with files.ordinary_file(path).open("rb") as file:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))
    except OSError:
        return 0


def _refuse_links(folder: Path) -> None:
    for name in (store.RUNS, store.ENVIRONMENT, store.LOCK, PLAN):
        if (folder / name).is_symlink():
            raise InputError(f"{name} in {printable.line(str(folder))} is a link; the studio does not follow links")


def _shown(name: str) -> str:
    return repr(printable.line(name[:60]))
