"""The order of the folders: a module imports only from its own folder and from those below it, and there is no circle.

Every import statement counts, also inside functions and under TYPE_CHECKING. docs/architecture.md has the same list in words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from sources import MODULES, PACKAGE, ROOT, source

from tiler.backends.command import Command
from tiler.backends.registry import backends
from tiler.model import lattices
from tiler.model.lattice import Lattice

#: From the ground up.
ORDER = (
    *("errors", "version", "printable", "amounts", "jsontext", "grouping", "optional_packages", "portable", "extensions"),
    *("process", "kernels", "model", "question", "cover", "formats", "render"),
    *("backends", "ask", "selftest", "testing", "bench", "report", "api", "cli", "apps", "__main__", "__init__"),
)

#: The most lines of the engine and of each app; see `test_nothing_grows_unseen`.
LINES = {"engine": 74296, "mathematics": 3340, "puzzles": 4950, "studio": 5799}
_SPARE = 100  # lines that a part may have less than the table says, before the table must be corrected
#: The most files that name a setting of problems in code, as a variable, an attribute or a string. Some mean another thing, such
#: as the weights of a colouring.
FILES_NAMING = {"wrap": 48, "weight": 55, "paint": 36, "constraint": 22}
_ABOUT_LATTICES = (
    *("tiler.model.", "tiler.render.", "tiler.apps.puzzles.printing."),
    *("tiler.apps.mathematics.aperiodic", "tiler.apps.mathematics.hat_substitution"),
)
_ARCHITECTURE = ROOT / "docs" / "architecture.md"


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
    for_types = {"tiler.api.answers.tiling"}  # see test_the_engine_imports_no_app
    assert [(module, other) for module, other in pairs if room(other) > room(module) and module not in for_types] == []


def test_no_import_is_relative() -> None:
    """Such a one would not be followed, neither here nor by tiler/bench/code_fingerprint.py."""
    assert [(module, each.dotted) for module, path in MODULES.items() for each in source(path).imports if each.level] == []


def test_there_is_no_circle() -> None:
    """But of the class of a backend and its search, which it imports when it is to search."""
    classes = [Command, *(each for each in backends().values() if each.__module__ in MODULES and not each().delegates)]
    searches = {each.__module__: each.implementation().__module__ for each in classes}
    try:
        TopologicalSorter({module: imports(module) - {searches.get(module)} for module in MODULES}).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def app_of(module: str) -> str:
    """The app that a module belongs to; empty for the engine."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["apps"] and len(parts) > 2 else ""


def test_the_engine_imports_no_app() -> None:
    """Type checkers alone are told what two modules of the engine get from apps, when somebody asks for it."""
    told = set()
    for module in MODULES:
        for each in source(MODULES[module]).imports:
            if not app_of(module) and app_of(f"{each.dotted}."):
                assert each.only_for_types, (module, each.dotted)
                told.add(module)
    assert told == {"tiler", "tiler.api.answers.tiling"}


def test_apps_do_not_import_each_other() -> None:
    pairs = [(module, other) for module in MODULES for other in imports(module) if app_of(module) and app_of(other)]
    assert len(pairs) > 100
    assert [(module, other) for module, other in pairs if app_of(module) != app_of(other)] == []


def test_an_app_imports_what_the_engine_lists_as_its_extension_points() -> None:
    """docs/architecture.md has a table of them; each is used. A folder ends with /."""
    table = _ARCHITECTURE.read_text("utf-8").partition("| extension points |")[2].partition("\n\n")[0]
    listed = {
        name.replace("/", "").join(("tiler.", ""))
        for row in table.splitlines()
        for name in re.findall(r"`([\w./]+)`", row.split(" | ")[0])
    }
    used = {other for module in MODULES if app_of(module) for other in imports(module) if not app_of(other)} - {
        "tiler",
        "tiler.apps",
    }
    folders = {name for name in listed if (PACKAGE / name.removeprefix("tiler.").replace(".", "/")).is_dir()}
    point = {
        other: max(
            (name for name in listed if f"{other}.".startswith(f"{name}.") and (name == other or name in folders)), default=""
        )
        for other in used
    }
    assert sorted(other for other, name in point.items() if not name) == []
    assert listed - set(point.values()) == set()


def test_the_engine_of_the_studio_knows_nothing_of_its_server() -> None:
    serving = {
        f"tiler.apps.studio.{name}"
        for name in ("server", "guard", "sessions", "processes", "worker", "in_page", "campaign_process", "race")
    }
    for module in set(MODULES) - serving - {"tiler.apps.studio.command"}:
        assert imports(module) & serving == set(), module
        assert not {"starlette", "uvicorn"} & _packages(module), module
    for module in ("messages", "catalogue_messages", "campaign_messages", "race_messages", "message_json"):
        assert {name.split(".")[1] for name in imports(f"tiler.apps.studio.{module}")} <= {"apps", "errors", "jsontext"}
        assert "numpy" not in _packages(f"tiler.apps.studio.{module}")


def _packages(module: str) -> set[str]:
    return {each.module.split(".")[0] for each in source(MODULES[module]).imports}


def test_a_module_is_not_too_long() -> None:
    assert [module for module, path in MODULES.items() if len(source(path).text.splitlines()) > 450] == []


def test_no_lattice_is_named_outside_of_what_is_asked_and_of_pictures() -> None:
    """What depends on a lattice asks it."""
    values = {name for name, value in vars(lattices).items() if isinstance(value, Lattice)} - {"USUAL"}
    assert len(values) >= 11
    for module in MODULES:
        if module.startswith(_ABOUT_LATTICES):
            continue
        assert source(MODULES[module]).names & values == set(), module


def test_nothing_grows_unseen() -> None:
    """A commit that needs more lines raises the number here, and its message says what became unnecessary. A commit that needs
    fewer lowers it."""
    counted = dict.fromkeys(LINES, 0)
    for module, path in MODULES.items():
        counted[app_of(module) or "engine"] += len(source(path).text.splitlines())
    change = f"more, or fewer, lines than {LINES}: change LINES here"
    assert {part: number for part, number in counted.items() if number > LINES[part]} == {}, change
    assert {part: number for part, number in counted.items() if number < LINES[part] - _SPARE} == {}, change


@pytest.mark.parametrize("setting", FILES_NAMING)
def test_a_setting_is_named_by_few_files(setting: str) -> None:
    """Formats, functions and commands loop over the table in tiler/formats/settings.py, and name none."""
    words = {setting, f"{setting}s"}
    naming = sorted(name for name, path in MODULES.items() if words & (source(path).names | source(path).strings))
    assert 5 < len(naming) <= FILES_NAMING[setting], naming


def test_one_name_means_one_thing() -> None:
    """No two public classes have the same name, so that it is found where it is looked for."""
    homes = defaultdict(list)
    for module in MODULES:
        for name in source(MODULES[module]).classes:
            if not name.startswith("_"):
                homes[name].append(module)
    assert len(homes) > 300
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}
