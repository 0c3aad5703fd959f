"""Load what the programs in tiler/apps add to the engine, which imports none of them.

Each app has a `manifest` that names its additions as `module:name`, without importing them; an addition is loaded when somebody
asks for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

APPS = ("mathematics", "puzzles", "studio")


class Manifest(NamedTuple):
    """What an app adds to the engine."""

    commands: Mapping[str, str] = {}  #: the module of each command, which has HELP, EXAMPLES, configure(parser) and run(args)
    options: Mapping[str, str] = {}  #: by command of the engine, a module that adds options: configure(parser) and run(args)
    names: Mapping[str, str] = {}  #: the module of each name that `import tiler` offers
    features: Sequence[str] = ()  #: features by which tilings are filtered, ask/features/feature.py
    drawings: Mapping[str, str] = {}  #: by form of file, a function that draws a tiling as `render.gallery.draw` does
    services: Mapping[str, str] = {}  #: what the engine or another app asks for by name


@cache
def manifests() -> tuple[Manifest, ...]:
    """The manifests of all apps."""
    return tuple(import_module(f"tiler.apps.{app}.manifest").MANIFEST for app in APPS)


def merged(field: str) -> dict[str, str]:
    """The entries of a field of all manifests.

    >>> merged("commands")["plane"]
    'tiler.apps.mathematics.commands.plane'
    """
    return {name: where for manifest in manifests() for name, where in getattr(manifest, field).items()}


def loaded(where: str) -> Any:
    """What `module:name` names, or a module."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)


def offered() -> dict[str, Any]:
    """What apps offer to `import tiler`, by name."""
    return {name: loaded(f"{module}:{name}") for name, module in merged("names").items()}


def service(name: str) -> Any:
    """What an app offers by this name."""
    return loaded(merged("services")[name])
