"""The order of the folders: a module imports only from its own folder and from those below it, and there is no circle.

Every import statement counts, also inside functions and under TYPE_CHECKING. docs/architecture.md has the same list in words.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from sources import MODULES, PACKAGE, source

from tiler.model import lattices
from tiler.model.lattice import Lattice

#: From the ground up.
ORDER = (
    *("errors", "version", "printable", "amounts", "jsontext", "grouping", "optional_packages", "portable"),
    *("process", "kernels", "model", "apart", "question", "cover", "formats", "render"),
    *("backends", "ask", "studies", "selftest", "testing", "bench", "report", "door", "studio", "cli", "__main__", "__init__"),
)

#: The most statements of each folder; see `test_no_folder_grows_unseen`.
STATEMENTS = {
    **{".": 437, "apart": 570, "ask": 3089, "backends": 16045, "bench": 2408, "cli": 3892},
    **{"cover": 3049, "door": 2943, "formats": 2255, "kernels": 1163, "model": 3041, "process": 1418},
    **{"question": 718, "render": 3793, "report": 2652, "selftest": 1135, "studies": 2602, "studio": 4105},
}
_SPARE = 20  # statements that a folder may have less than the table says, before the table must be corrected


@cache
def imports(module: str) -> set[str]:
    """The modules of this package that a module imports, the packages that hold them left out."""
    found = {each.dotted if each.dotted in MODULES else each.module for each in source(MODULES[module]).imports}
    return {name for name in found if name in MODULES and name != module}


def room(module: str) -> int:
    """The place of a module's folder in the order."""
    parts = module.split(".")
    return ORDER.index(parts[1] if len(parts) > 1 else "__init__")


def test_a_module_imports_from_its_own_folder_and_those_below() -> None:
    pairs = [(module, other) for module in MODULES for other in sorted(imports(module))]
    assert [(module, other) for module, other in pairs if room(other) > room(module)] == []


def test_no_import_is_relative() -> None:
    """Such a one would not be followed, neither here nor by tiler/bench/code_fingerprint.py."""
    assert [(module, each.dotted) for module, path in MODULES.items() for each in source(path).imports if each.level] == []


def test_there_is_no_circle() -> None:
    try:
        TopologicalSorter({module: imports(module) for module in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_only_its_command_knows_the_studio() -> None:
    """It is loaded when somebody opens it, and nothing else needs the packages that serve it."""
    users = [module for module in MODULES if module.split(".")[1:2] != ["studio"] and any(map(_is_studio, imports(module)))]
    assert users == ["tiler.cli.installation.studio"]
    assert not any(map(_is_studio, _imported_at_once("tiler.cli.installation.studio")))


def test_the_engine_of_the_studio_knows_nothing_of_its_server() -> None:
    serving = {
        f"tiler.studio.{name}"
        for name in ("server", "guard", "sessions", "processes", "worker", "in_page", "campaign_process", "race")
    }
    for module in set(MODULES) - serving - {"tiler.cli.installation.studio"}:
        assert imports(module) & serving == set(), module
        assert not {"starlette", "uvicorn"} & _packages(module), module
    for module in ("messages", "catalogue_messages", "campaign_messages", "race_messages", "message_json"):
        assert {name.split(".")[1] for name in imports(f"tiler.studio.{module}")} <= {"studio", "errors", "jsontext"}
        assert "numpy" not in _packages(f"tiler.studio.{module}")


def _is_studio(module: str) -> bool:
    return module.split(".")[1:2] == ["studio"]


def _imported_at_once(module: str) -> set[str]:
    return {each.module for each in source(MODULES[module]).imports if each.at_once}


def _packages(module: str) -> set[str]:
    return {each.module.split(".")[0] for each in source(MODULES[module]).imports}


def test_a_module_is_not_too_long() -> None:
    assert [module for module, path in MODULES.items() if len(source(path).text.splitlines()) > 450] == []


def test_no_lattice_is_named_outside_of_what_is_asked_and_of_pictures() -> None:
    """What depends on a lattice asks it."""
    values = {name for name, value in vars(lattices).items() if isinstance(value, Lattice)} - {"USUAL"}
    assert len(values) >= 11
    for module in MODULES:
        if module.split(".")[1:2] in (["model"], ["render"]):
            continue
        assert source(MODULES[module]).names & values == set(), module


def test_no_folder_grows_unseen() -> None:
    """The statements of each folder, as the syntax tree has them: how lines are broken does not count. A commit that needs more
    raises the number here, and its message says what became unnecessary. A commit that needs fewer lowers it."""
    counted: dict[str, int] = defaultdict(int)
    for module in MODULES:
        parts = module.split(".")
        folder = parts[1] if len(parts) > 1 and (PACKAGE / parts[1]).is_dir() else "."
        counted[folder] += source(MODULES[module]).statements
    assert {folder: (number, STATEMENTS[folder]) for folder, number in counted.items() if number > STATEMENTS[folder]} == {}
    assert {folder: (counted[folder], most) for folder, most in STATEMENTS.items() if counted[folder] < most - _SPARE} == {}


def test_one_name_means_one_thing() -> None:
    """No two public classes have the same name, so that it is found where it is looked for."""
    homes = defaultdict(list)
    for module in MODULES:
        for name in source(MODULES[module]).classes:
            if not name.startswith("_"):
                homes[name].append(module)
    assert len(homes) > 300
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
