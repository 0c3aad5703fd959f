"""Find the code that made a record: the files that take part in a run of a backend, by following imports.

From the module of the backend's class and from measure.py every import is followed, also within functions, where a class imports
its implementation, and so is every text that is the name of a module. Not followed is what only type checkers see, nor what
merely draws, prints, reads problems or adds up (`_APART`).

Code that all backends share also leads to backends that have no part: the registry imports every folder there is, and `ask` the
checker of colouring proofs, for every backend. So a folder of a backend takes part only if the class is in it, or if a
module in a folder that takes part imports from it: `fila` hands over to `dlx`, and `auto` imports all that it may choose.
"""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

from tiler import version
from tiler.backends.base import Backend
from tiler.backends.registry import backends
from tiler.bench import environment
from tiler.bench.record import Record, Surroundings

_MEASURING = "tiler.bench.measure"
# Changes to these modules, and to the ones below them, do not affect measurements. `tiler` itself only collects names.
_APART = (
    *("tiler.cli.", "tiler.render.", "tiler.report.", "tiler.formats.", "tiler.bench."),
    *("tiler.printable.", "tiler.process.files."),
)
# Packages that do not affect measurements either.
_BESIDE = ("rich", "matplotlib", "markdown-it-py", "msgspec", "psutil", "shtab")
_NAME = re.compile(r"(tiler(?:\.\w+)+)")


def made_here(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records that were made by this code: by the same sources, and with the same versions of packages."""
    surroundings = environment.surroundings()
    code = cache(lambda solver: _code({**surroundings, "sources": fingerprint_of(solver)}))
    return tuple(
        record for record in records if record.get("sources") is not None and _code(record) == code(str(record.get("solver")))
    )


def is_of_earlier_layout(record: Record) -> bool:
    """Whether a record has the fingerprint of all files together, as before there was one for each backend."""
    return record.get("sources") is None and "sources" in (record.get("environment") or {})


def _code(record: Surroundings) -> tuple[Any, ...]:
    return record.get("sources"), _measured(frozenset((record.get("versions") or {}).items()))


@lru_cache
def _measured(versions: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """The versions without those of packages that take no part; most records have the same ones."""
    return frozenset((name, number) for name, number in versions if name not in _BESIDE)


def fingerprint_of(spec: str) -> str | None:
    """The fingerprint of the files, as they are here, that take part in a run of the backend that a spec names: 16 hexadecimal
    digits, None if there is no such backend here. Some 0.3 s for the first backend in a process, then next to nothing."""
    backend = backends().get(spec.partition(":")[0])
    return None if backend is None else _of_class(backend)


@cache
def _of_class(backend: type[Backend]) -> str:
    package, module = _here(), backend.__module__
    return package.fingerprint(module if module in package.files else Path(str(sys.modules[module].__file__)))


@cache
def _here() -> Package:
    return Package(Path(version.__file__).parent)


class Package:
    """A copy of this package in some folder, as it is when its files are first looked at."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._named: dict[Path, frozenset[str]] = {}

    @cached_property
    def files(self) -> dict[str, Path]:
        """Every module by its dotted name; a package is the file that makes it one."""
        modules = {}
        for path in self.folder.rglob("*.py"):
            parts = ("tiler", *path.relative_to(self.folder).with_suffix("").parts)
            modules[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
        return modules

    def fingerprint(self, start: str | Path) -> str:
        """The digest of the sources that take part in a run of the backend whose class is in this module, or in this file
        elsewhere."""
        digest = hashlib.sha256(start.read_bytes() if isinstance(start, Path) else b"")
        for name in sorted(self.taking_part(start)):
            digest.update(name.encode() + b"\0" + self.files[name].read_bytes() + b"\0")
        return digest.hexdigest()[:16]

    def taking_part(self, start: str | Path) -> set[str]:
        """The modules that take part in a run of that backend."""
        first = {start} if isinstance(start, str) else self._named_in(start)
        folders = {self._backend(name) for name in first} | {None}
        while True:
            reached = self._closure({_MEASURING, *first}, folders)
            wider = {self._backend(other) for name in reached if self._backend(name) for other in self.imports(name)} | folders
            if wider == folders:
                return reached
            folders = wider

    def imports(self, module: str) -> frozenset[str]:
        """The modules that a module imports or names, the packages that hold them included."""
        return self._named_in(self.files[module])

    def _closure(self, first: Iterable[str], folders: set[str | None]) -> set[str]:
        """What is reached from some modules without entering other backends' folders."""
        reached, waiting = set(first), list(first)
        while waiting:
            more = {other for other in self.imports(waiting.pop()) if self._backend(other) in folders and not _is_apart(other)}
            waiting += more - reached
            reached |= more
        return reached

    def _backend(self, module: str) -> str | None:
        """The backend folder of a module; None for modules that backends share."""
        folder = ".".join(module.split(".")[:3])
        own = module.startswith("tiler.backends.") and self.files[folder].name == "__init__.py"
        return folder if own else None

    def _named_in(self, path: Path) -> frozenset[str]:
        if path not in self._named:
            self._named[path] = _modules_in(path.read_bytes()) & self.files.keys()
        return self._named[path]


def _is_apart(module: str) -> bool:
    return f"{module}.".startswith(_APART)


@cache
def _modules_in(code: bytes) -> frozenset[str]:
    """Whatever may be the name of a module in some code, and the packages that would hold it."""
    parts = [name.split(".") for name in _names(ast.parse(code))]
    return frozenset(".".join(words[:length]) for words in parts for length in range(2, len(words) + 1))


def _names(node: ast.AST) -> Iterator[str]:
    """What code that runs imports, and texts that may be names of modules."""
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            below: Iterable[ast.AST] = node.orelse
        case _:
            below = ast.iter_child_nodes(node)
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom(module=str(module)):
            yield from (f"{module}.{alias.name}" for alias in node.names)
        case ast.Constant(value=str(text)):
            named = _NAME.fullmatch(text)
            if named:
                yield named[1]
    for child in below:
        yield from _names(child)
