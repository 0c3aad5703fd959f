"""Print the files of tests that a change can reach, one a line, the nearest first:

    python tests/changed.py                  what differs from main, or, on main, from its last commit
    python tests/changed.py tiler/errors.py  as if these files differed
    python tests/changed.py --seconds 60     only the nearest, as long as they take 60 s together

A file of tests is reached if it is changed, or imports what is changed: directly or through others, also within functions, but
not for types alone. Names of modules in strings count as imports. Examples in the docstrings of a module are a test of
tests/test_docstrings.py, and count as a file.

Some modules load others only by name, and these count for tests that say the name: `tiler` its functions, the command its
commands, the registry its solvers, and the class of a solver its search. A file that is no Python is reached by tests that use
the package in which it is, or that name it or its folder below the root. On stderr stands how much is left out. Settings of all
tests reach everything: then `tests` is printed.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from math import inf
from pathlib import Path, PurePath
from typing import Any

from sources import ROOT, Source, source

#: Files that set up every test.
_ALL = re.compile(r"tests/conftest\.py|pyproject\.toml|hatch_build\.py|scripts/(?:test|setup\.sh)|tests/(?:sources|changed)\.py")
_MODULE = re.compile(r"(?<![\w./])[a-z]\w*(?:\.\w+)+")
_UNKNOWN, _EXAMPLES = 5.0, 0.05  # seconds of a file that was never measured, and of the examples of a module


@dataclass(frozen=True)
class Lazy:
    """Modules that another one loads by name. `names` says which of these names a test says by a text of its files."""

    owner: str
    modules: Mapping[str, str]
    names: Callable[[str], Iterable[str]]
    #: Whether a module of the program says a name by one of its strings.
    within: Callable[[str, str], bool] = lambda name, string: False


class Tree:
    """The Python files below a folder, by their paths from there, and what they import."""

    def __init__(self, root: Path, lazy: Iterable[Lazy] = (), apart: Iterable[tuple[str, str]] = ()) -> None:
        self.root = root
        #: Pairs of files of which the first loads the second, but not for the tests of others.
        self.apart = set(apart)
        paths = [path for folder in ("tests", "tiler", "scripts") for path in sorted((root / folder).rglob("*.py"))]
        self.files = {path.relative_to(root).as_posix(): source(path) for path in paths}
        self.modules: dict[str, list[str]] = {}
        for file in self.files:
            for name in _modules(file):
                self.modules.setdefault(name, []).append(file)
        self.lazy = {file: each for each in lazy for file in self.modules.get(each.owner, ())}
        self._edges: dict[str, frozenset[str]] = {}
        self._said: dict[tuple[str, str], frozenset[str]] = {}

    def tests(self) -> list[str]:
        """The files of tests, and the modules with examples."""
        return [file for file in self.files if _is_test(file) or (_of_program(file) and _examples(self.files[file]))]

    def edges(self, file: str) -> frozenset[str]:
        """The files that a file loads, those that it loads by name left out."""
        if file not in self._edges:
            known = self.files[file]
            late = self._modules_by_name(file)
            names = {
                each.dotted for each in known.imports if not each.only_for_types and (each.at_once or each.module not in late)
            }
            strings = known.strings - late
            names |= {name for string in strings if "*" not in string for name in _MODULE.findall(string)}
            if not _of_program(file) and "tiler" in strings:  # python -m tiler
                names.add("tiler.__main__")
            found = {other for name in names for other in self._loaded(name)}
            found |= {other for string in strings for other in (*self._pattern(file, string), *self._script(string))}
            self._edges[file] = frozenset(other for other in found if other != file and (file, other) not in self.apart)
        return self._edges[file]

    def _modules_by_name(self, file: str) -> set[str]:
        """The modules that a file loads only by name."""
        return set(self.lazy[file].modules.values()) if file in self.lazy else set()

    def _loaded(self, dotted: str) -> Iterator[str]:
        """The file of a module, or of a name in one, and the packages around it."""
        parts = dotted.split(".")
        for length in range(1, len(parts) + 1):
            yield from self.modules.get(".".join(parts[:length]), ())

    def _pattern(self, file: str, string: str) -> Iterator[str]:
        """Modules whose names are put together, as in f"tiler.report.{name}"."""
        if file not in self.lazy and re.fullmatch(r"tiler(?:\.(?:\w+|\*))*\.\*(?:\.\w+)*", string):
            pattern = re.compile(re.escape(string).replace(r"\*", r"\w+"))
            yield from (other for name, files in self.modules.items() if pattern.fullmatch(name) for other in files)

    def _script(self, string: str) -> Iterator[str]:
        """A file that is named by its path, from the root or from its folder."""
        if string.endswith(".py"):
            yield from (path for path in (string, f"scripts/{string}", f"tests/{string}") if path in self.files)

    def distances(self, test: str) -> dict[str, int]:
        """Every file that a file of tests reaches, by how many imports."""
        reached: dict[str, int] = {}
        said: dict[str, set[str]] = {}
        nearest = {test}
        if _of_program(test):
            examples = _examples(self.files[test])
            nearest.update(other for name in _MODULE.findall(examples) for other in self._loaded(name))
            said = {owner: set(lazy.names(examples)) for owner, lazy in self.lazy.items()}
        while nearest:
            reached.update(dict.fromkeys(nearest, max(reached.values(), default=-1) + 1))
            for owner in self.lazy:
                said.setdefault(owner, set()).update(*(self._says(owner, file) for file in nearest))
            nearest = {other for file in nearest for other in self.edges(file)}
            modules = (lazy.modules[name] for owner, lazy in self.lazy.items() if owner in reached for name in said[owner])
            nearest.update(other for module in modules for other in self._loaded(module))
            nearest.difference_update(reached)
        return reached

    def _says(self, owner: str, file: str) -> frozenset[str]:
        """The names of a lazy module that a file says."""
        if (owner, file) not in self._said:
            lazy, known = self.lazy[owner], self.files[file]
            if _of_program(file):
                names = {name for name in lazy.modules for string in known.strings if lazy.within(name, string)}
            else:
                names = lazy.names(known.text)
            self._said[owner, file] = frozenset(names)
        return self._said[owner, file]

    def reached(self, changed: Iterable[str]) -> dict[str, int]:
        """The files of tests that changed files reach, by how many imports; first those called like a changed file, then those in
        a folder called like its own, the nearest first."""
        some = list(changed)
        found = {}
        for test in self.tests():
            distances = self.distances(test)
            near = [distance for file in some for distance in self._far(file, distances)]
            if near:
                found[test] = min(near)
        return dict(sorted(found.items(), key=lambda pair: (min(_kinship(pair[0], file) for file in some), pair[1])))

    def _far(self, changed: str, distances: Mapping[str, int]) -> Iterator[int]:
        """How far it is to a file from what reaches it."""
        if changed.endswith(".py") and changed.startswith(("tests/", "tiler/", "scripts/")):
            yield from [distances[changed]] if changed in distances else []
        elif _of_program(changed):  # Data of a package
            packages = [folder for folder in PurePath(changed).parents if f"{folder.as_posix()}/__init__.py" in self.files]
            yield from (1 + far for file, far in distances.items() if packages and PurePath(file).is_relative_to(packages[0]))
        else:
            path = PurePath(changed)
            named = re.compile(rf"[\"'/]{path.parts[0]}[\"'/]|\b{path.parent.name}/{path.stem}\b|\b{path.name}\b")
            yield from (
                1 + far for file, far in distances.items() if not _of_program(file) and named.search(self.files[file].text)
            )


def _kinship(test: str, changed: str) -> int:
    """0 if a file of tests is called like a changed file, 1 if it lies in a folder called like its own, else 2."""
    one, other = PurePath(test), PurePath(changed)
    if "_" + other.stem.strip("_") in one.stem and not _of_program(test):
        return 0
    return 1 if {*one.parts[1:-1]} & {*other.parts[1:-1]} else 2


def _modules(file: str) -> set[str]:
    """The names by which a file is imported; tests and scripts lie on the path."""
    parts = PurePath(file).with_suffix("").parts
    dotted = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return {dotted} if _of_program(file) else {dotted, parts[-1]}


def _of_program(file: str) -> bool:
    return file.startswith("tiler/")


def _is_test(file: str) -> bool:
    return file.startswith("tests/") and PurePath(file).name.startswith("test_")


def _collected(file: str) -> str:
    """What pytest calls a file of tests, or the examples of a module."""
    return f"tests/test_docstrings.py::test_examples_print_what_they_show[{min(_modules(file))}]" if _of_program(file) else file


def _examples(known: Source) -> str:
    """The lines of Python in the docstrings of a file."""
    lines = [line.strip() for said in known.docstrings if ">>> " in said for line in said.splitlines()]
    return "\n".join(line for line in lines if line.startswith((">>> ", "... ")))


def lazy_modules(root: Path) -> tuple[Lazy, ...]:
    """What the program loads by name."""
    sys.path.insert(0, str(root))
    import tiler
    from tiler import extensions
    from tiler.cli import main

    commands = {name: module for name, module in main._MODULES.items() if name not in extensions.merged("commands")}
    folders = sorted((root / "tiler/backends").glob("*/__init__.py"))
    solvers = {path.parent.name: path for path in folders if "register" in source(path).names}
    searches = {
        name: each.module
        for name, path in solvers.items()
        for each in source(path).imports
        if not each.at_once and each.dotted == f"{each.module}.search" and each.module.startswith(f"tiler.backends.{name}.")
    }
    offered = tiler._OFFERED
    every_name = r"COMMANDS|FEATURES|__all__|dir\(tiler|getattr\(tiler,|nbclient"
    every_solver = r"\bbackends\(\)|\bspecs\b"
    return (
        Lazy("tiler", offered, _names_in(offered, r"tiler\.(\w+)|import (\w+)", r"__all__|dir\(tiler|getattr\(tiler,|nbclient")),
        Lazy("tiler.cli.main", commands, _names_in(commands, r"[\"']([a-z][a-z-]*)[\"' ]|tiler ([a-z][a-z-]*)", r"COMMANDS")),
        *(
            Lazy(
                f"tiler.apps.{app}.manifest",
                added,
                _names_in(added, r"[\"'./]([A-Za-z0-9][\w-]*)|tiler ([a-z][a-z-]*)", every_name),
            )
            for app, added in zip(extensions.APPS, map(_added, extensions.manifests()), strict=True)
        ),
        Lazy(
            "tiler.backends.registry",
            {name: f"tiler.backends.{name}" for name in solvers},
            _names_in(solvers, r"([a-z]+)", every_solver),
            _is_spec,
        ),
        *(
            Lazy(f"tiler.backends.{name}", {name: module}, _names_in([name], r"([a-z]+)", every_solver), _is_spec)
            for name, module in searches.items()
        ),
    )


def _added(manifest: Any) -> dict[str, str]:
    """The modules that an app adds, by the names by which they are asked for."""
    named = {
        name: where for field in ("commands", "names", "drawings", "services") for name, where in getattr(manifest, field).items()
    }
    named |= {f"{command} -o": where for command, where in manifest.options.items()}
    named |= {where.partition(":")[2]: where for where in manifest.features}
    return {name: where.partition(":")[0] for name, where in named.items()}


def _names_in(names: Iterable[str], written: str, all_names: str) -> Callable[[str], set[str]]:
    """Finds names in a text by how they are written there; where all names may be meant, all."""

    def said(text: str) -> set[str]:
        if re.search(all_names, text):
            return set(names)
        return {word for found in re.finditer(written, text) for word in found.groups()}.intersection(names)

    return said


def _is_spec(name: str, string: str) -> bool:
    return string == name or string.startswith(f"{name}:")


#: The picture and the text of an instance, which `tiler` knows how to draw: only for tests that name them are they reached.
_APART = {("tiler/__init__.py", "tiler/api/answers/instance_picture.py")}


def git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()


def differing() -> list[str]:
    """The files that differ from where the branch left main, whether committed or not."""
    base = git("merge-base", "HEAD", "main")[0]
    return [*git("diff", "--name-only", "--no-renames", base), *git("ls-files", "--others", "--exclude-standard")]


def nearest(files: Mapping[str, int], seconds: Mapping[str, float], most: float) -> list[str]:
    """The first files, as long as they take no more seconds together; the first one in any case."""
    sums = accumulate(seconds[file] for file in files)
    return [file for number, (file, total) in enumerate(zip(files, sums, strict=True)) if total <= most or not number]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="*", help="default: what differs from main")
    parser.add_argument("--seconds", type=float, default=inf, help="take only the nearest (default: all)")
    options = parser.parse_args()
    names = options.file or differing()
    if not names:
        print("nothing differs from main: nothing is to be tested", file=sys.stderr)
        return
    everything = [name for name in names if _ALL.fullmatch(name)]
    if everything:
        print(f"{everything[0]} is changed: everything is reached", file=sys.stderr)
        print("tests")
        return
    tree = Tree(ROOT, lazy_modules(ROOT), _APART)
    tests, reached = tree.tests(), tree.reached(names)
    measured = json.loads((ROOT / "tests/seconds.json").read_text())
    seconds = {file: measured.get(file, _UNKNOWN if _is_test(file) else _EXAMPLES) for file in tests}
    chosen = nearest(reached, seconds, options.seconds)
    total, some, few = (sum(seconds[file] for file in files) for files in (tests, reached, chosen))
    print(f"reached: {len(reached)} of {len(tests)} files of tests, {some:.0f} s of {total:.0f} s", file=sys.stderr)
    if len(chosen) < len(reached):
        print(f"the nearest: {len(chosen)} of them, {few:.0f} s", file=sys.stderr)
    print(*map(_collected, chosen), sep="\n")


if __name__ == "__main__":
    main()
