"""Load backends from elsewhere: from files named with `--load`, and from other distributions with the entry point
`tiler.backends`.

A backend from a file is identified by the file's path and the digest of its content. Other processes get both with the backend.
They load the same file, or refuse if its content differs.
"""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tiler.errors import BadOption, InputError, TilerError
from tiler.process import files

if TYPE_CHECKING:
    from tiler.backends.base import Origin

GROUP = "tiler.backends"


@dataclass(frozen=True)
class Plugin:
    """A file that backends come from: its absolute path, and a digest of its content, 16 hexadecimal digits."""

    path: str
    digest: str

    @property
    def module(self) -> str:
        """The name of the module that is made from the file."""
        return f"tiler_plugin_{self.digest}"

    def record_fields(self) -> dict[str, dict[str, Any]]:
        """The field of a run record about the file."""
        return {"plugin": dataclasses.asdict(self)}

    def ensure(self) -> None:
        """Load the file in this process too. TilerError if it is missing, or has other content here."""
        if self.module in _loaded:
            return
        try:
            here = load(self.path)
        except InputError as error:
            raise TilerError(f"a backend comes from a file that is not to be had here: {error}") from None
        if here != self:
            raise TilerError(f"{self.path} is another file here: {here.digest}, not {self.digest}")


@dataclass(frozen=True)
class Broken:
    """An entry point that could not be loaded, and why, in one line."""

    name: str
    why: str


_loaded: dict[str, Plugin] = {}  # key: the name of the module


def load(path: str) -> Plugin:
    """Run a file that registers backends, once; InputError if it cannot be read or run, BadOption if a name is taken."""
    try:
        content = files.ordinary_file(path).read_bytes()
    except OSError as error:
        raise InputError(error.strerror or "cannot be read", path) from None
    import hashlib  # Loading it takes some milliseconds.

    plugin = Plugin(str(Path(path).resolve()), hashlib.sha256(content).hexdigest()[:16])
    if plugin.module in _loaded:
        return plugin
    loader = SourceFileLoader(plugin.module, plugin.path)
    spec = spec_from_loader(plugin.module, loader)
    if spec is None:
        raise InputError("not a Python file", path)
    module = module_from_spec(spec)
    # Its backends can be pickled only if the module is known by its name.
    sys.modules[plugin.module] = module
    try:
        loader.exec_module(module)
    except BaseException as error:
        del sys.modules[plugin.module]
        if isinstance(error, BadOption | KeyboardInterrupt):
            raise
        raise InputError(f"it cannot be loaded: {in_a_line(error)}", path) from None
    _loaded[plugin.module] = plugin
    return plugin


def origin_of(backend: Any) -> Origin | None:
    """The file that the class of a backend comes from, or the program that it was declared as; None if it is installed."""
    found: Origin | None = backend.origin()
    return found or _loaded.get(type(backend).__module__)


def source_of(backend: type[Any]) -> str:
    """The file that the class of a backend comes from, or the module of another distribution; empty if it is one of Tiler's."""
    module = backend.__module__
    if module in _loaded:
        return _loaded[module].path
    return "" if module.partition(".")[0] == "tiler" else f"the module {module}"


def ensure(origin: Origin | None) -> None:
    """Make a backend from elsewhere known in this process too."""
    if origin is not None:
        origin.ensure()


@cache
def broken() -> tuple[Broken, ...]:
    """Load the backends that installed distributions offer, once. Returns the entry points that could not be loaded."""
    from importlib.metadata import entry_points  # Slow to load.

    found = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            entry.load()
        except Exception as error:
            found.append(Broken(entry.name, in_a_line(error)))
    return tuple(found)


def in_a_line(error: BaseException) -> str:
    """The type and the message of an error in one line of at most 200 characters."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]
