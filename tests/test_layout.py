"""The order of the folders: a module imports only from its own folder and from those below it, and there is no circle.

Every import statement counts, also inside functions and under TYPE_CHECKING. docs/architecture.md has the same list in words.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import tiler
from tiler.model import lattices
from tiler.model.lattice import Lattice

PACKAGE = Path(tiler.__file__).parent

#: From the ground up.
ORDER = (
    *("errors", "version", "printable", "amounts", "jsontext"),
    *("process", "kernels", "model", "apart", "question", "cover", "formats", "render"),
    *("backends", "ask", "selftest", "testing", "bench", "report", "door", "cli", "__main__", "__init__"),
)


def name_of(path: Path) -> str:
    """The dotted name of a module; a package is named by its folder."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports(module: str) -> set[str]:
    """The modules of this package that a module imports, the packages that hold them left out."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in MODULES else node.module)
    return {name for name in found if name in MODULES and name != module}


def room(module: str) -> int:
    """The place of a module's folder in the order."""
    parts = module.split(".")
    return ORDER.index(parts[1] if len(parts) > 1 else "__init__")


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_from_its_own_folder_and_those_below(module: str) -> None:
    assert [other for other in sorted(imports(module)) if room(other) > room(module)] == []


def test_there_is_no_circle() -> None:
    try:
        TopologicalSorter({module: imports(module) for module in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_not_too_long(module: str) -> None:
    assert len(MODULES[module].read_text().splitlines()) <= 450


@pytest.mark.parametrize("module", [module for module in MODULES if module.split(".")[1:2] not in (["model"], ["render"])])
def test_no_lattice_is_named_outside_of_what_is_asked_and_of_pictures(module: str) -> None:
    """What depends on a lattice asks it."""
    named = {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(ast.parse(MODULES[module].read_text()))
        if isinstance(node, ast.Attribute | ast.Name)
    }
    values = {name for name, value in vars(lattices).items() if isinstance(value, Lattice)} - {"USUAL"}
    assert len(values) >= 11
    assert named & values == set()


def test_one_name_means_one_thing() -> None:
    """No two public classes have the same name, so that it is found where it is looked for."""
    homes = defaultdict(list)
    for module, path in MODULES.items():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(module)
    assert len(homes) > 300
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
