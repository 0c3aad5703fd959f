"""Use programs of others as solvers. Each is declared by a name, a command, and the languages of its input and its answer.

    [[solver]]
    name = "cadical 1.5"
    command = "cadical -q {cnf}"         # the file; also {out} for one with the answer, {seed}, {seconds},
                                         # {megabytes}, {python}; without {cnf} it is standard input
    input = "cnf"                        # or another language of tiler/backends/languages
    output = "dimacs"                    # or another form of answers that goes with it
    model = "sat:cell=pairwise"          # whose clauses, whose rows; or geost, with mzn
    projects = true                      # of a model counter: it counts by the variables of `c p show`
    needs = ["breakid"]                  # further programs or files, if a shell or an interpreter is called
    version = "cadical --version"
    colour = "#7b3f00"
    folder = "../.."                     # where files that are named begin; by default the folder of this file

Such tables stand in a campaign's file and in a user's `tiler.toml` (solver_tables.py). Each gives a class like that of any other
backend: its answers are verified, its runs are isolated and limited, and its records have the program's version and digest.
"""

from __future__ import annotations

import inspect
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tiler import printable
from tiler.backends import registry
from tiler.backends.base import Backend, Implementation
from tiler.backends.languages import FORMS, LANGUAGES
from tiler.cover.items import ItemKind
from tiler.errors import BadOption, TilerError
from tiler.question.question import Goal, Question

if TYPE_CHECKING:
    from tiler.cover.cover import Cover

PYTHON = "{python}"  #: stands in a command for the Python interpreter that runs Tiler
_VERSION_SECONDS = 5.0
_LONGEST = 100  # the most letters of a version

#: The files and values that can stand in a command.
INPUTS = tuple(name for name, language in LANGUAGES.items() if language.declared)


@dataclass(frozen=True)
class Program:
    """A program declared by a `[[solver]]` table of a `file`, whose folder is `folder`. Commands may name files relative to it.

    `version` is what the program says of itself, and `digest` the digest of its file and of all files that the command names, 16
    hexadecimal digits; both are None until it is `identified`, and where there is no such program.
    """

    name: str
    command: tuple[str, ...]
    input: str
    output: str
    model: str = ""
    colour: str = ""
    ask_version: tuple[str, ...] = ()
    projects: bool = False  #: whether a program that counts the models of a CNF counts them by the variables of `c p show`
    folder: str = "."
    file: str = ""
    version: str | None = None
    digest: str | None = None
    needs: tuple[str, ...] = ()  #: further programs that the command calls, and files

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the command; files that it names have their full paths."""
        return tuple(self._located(word) for word in self.command)

    @cached_property
    def found(self) -> Mapping[str, str | None]:
        """The paths of the program and of what else it needs; None for what is not on this machine."""
        needed = {name: self._located(name) for name in self.needs}
        files = {name: path if Path(path).is_file() else None for name, path in needed.items() if "/" in name}
        return {name: shutil.which(self._located(name)) for name in (self.command[0], *self.needs)} | files

    @property
    def lacking(self) -> str | None:
        """The first of these that is not on this machine; None if all are."""
        return next((name for name, path in self.found.items() if path is None), None)

    @cached_property
    def identified(self) -> Program:
        """The same program with its version, for which it is run once, and its digest."""
        if self.digest is not None:
            return self
        return replace(self, version=self._version(), digest=self._digest())

    def record_fields(self) -> dict[str, dict[str, Any]]:
        """The fields of a record that say where its solver comes from."""
        names = ("input", "output", "model", "projects", "colour", "version", "digest")
        return {"program": {"command": shlex.join(self.command), **{name: getattr(self, name) for name in names}}}

    def table(self, folder: str) -> dict[str, object]:
        """The table that declares it in a file; `folder` is the name of its folder from there."""
        table: dict[str, object] = {"name": self.name, "command": self.command, "input": self.input, "output": self.output}
        texts = {"model": self.model, "colour": self.colour, "projects": self.projects, "version": self.ask_version}
        texts |= {"needs": self.needs, "folder": "" if folder == "." else folder}
        return table | {key: value for key, value in texts.items() if value}

    def ensure(self) -> None:
        """Declare the program in this process too. TilerError if it is not on this machine, or if it is a different one."""
        here = define(replace(self, version=None, digest=None)).declared.identified
        if here.digest is None:
            raise TilerError(f"{self.name}: the program {self.lacking} is not to be found here")
        if here.digest != self.digest:
            raise TilerError(f"{self.name}: {self.command[0]} is another program here: {here.digest}, not {self.digest}")

    def _located(self, word: str) -> str:
        if word == PYTHON:
            return sys.executable
        # A link is not followed: the python of a virtual environment is a link.
        path = Path(os.path.abspath(Path(self.folder) / word))
        return str(path) if "/" in word and "{" not in word and path.exists() else word

    def _digest(self) -> str | None:
        if self.lacking is not None:
            return None
        import hashlib  # Loading it takes some milliseconds.

        digest = hashlib.sha256()
        for file in (
            *filter(None, self.found.values()),
            *(word for word in self.words[1:] if "/" in word and Path(word).is_file()),
        ):
            digest.update(Path(file).read_bytes())
        return digest.hexdigest()[:16]

    def _version(self) -> str | None:
        """The first line that the program prints when asked for its version."""
        if not self.ask_version:
            return None
        words = [self._located(word) for word in self.ask_version]
        try:
            done = subprocess.run(words, capture_output=True, timeout=_VERSION_SECONDS, stdin=subprocess.DEVNULL, check=False)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            return None
        lines = (done.stdout + b"\n" + done.stderr).decode("utf-8", "replace").splitlines()
        return next((printable.line(line.strip())[:_LONGEST] for line in lines if line.strip()), None)


@dataclass(frozen=True)
class Command(Backend):
    """A program of somebody else's, called as it was declared.

    It is given the problem in one of the languages that `tiler convert` writes, or as a problem file, in an empty folder. A
    tiling that it prints is verified like any other; a count, and that there is no tiling, rest on its word.
    """

    name: ClassVar[str] = "command"
    goals: ClassVar[frozenset[Goal]] = frozenset()
    knows_colours: ClassVar[bool] = True  # Every language can express colours; it is not known which programs understand them.
    has_process: ClassVar[bool] = True
    declared: ClassVar[Program]

    @classmethod
    def implementation(cls) -> Implementation:
        from tiler.backends.command.search import search

        return search

    @classmethod
    def origin(cls) -> Program:
        return cls.declared.identified

    @classmethod
    def seeded(cls) -> bool:
        return "{seed}" in " ".join(cls.declared.command)

    @classmethod
    def absent(cls) -> str | None:
        lacking = cls.declared.lacking
        what = "file" if lacking and "/" in lacking and lacking != cls.declared.command[0] else "program"
        return None if lacking is None else f"it needs the {what} {lacking}, which is not to be found here"

    def refusal(self, question: Question, cover: Cover | None = None) -> str | None:
        declared = self.declared
        if LANGUAGES[declared.input].is_problem:
            if not self.filter == self.anchor == "off":
                return f"input={declared.input} is the problem itself: leave out filter= and anchor="
            if cover is not None and ItemKind.CELL not in cover.kinds:
                return "it needs a board, not a general exact cover"
        return super().refusal(question, cover)


def _goals(program: Program) -> frozenset[Goal]:
    """The goals that can be asked: those that can be said in the program's language and that it can answer."""
    goals = FORMS[program.output]
    return goals if LANGUAGES[program.input].optimises else goals - {Goal.OPTIMISE}


def define(program: Program) -> type[Command]:
    """The class of a declared program, registered; in place of another one of that name that was declared too."""
    known = registry.known(program.name)
    if known is not None and not issubclass(known, Command):
        raise BadOption(f"a solver of Tiler is called {program.name}; choose another name")
    if known is not None and known.declared == program:
        return known
    about = f"The program `{' '.join(program.command)}`, declared in a file.\n\n{inspect.cleandoc(Command.__doc__ or '')}"
    attributes = {
        "__module__": Command.__module__,
        "__doc__": about,
        "name": program.name,
        "goals": _goals(program),
        "declared": program,
    }
    made: type[Command] = dataclass(frozen=True)(type("Declared", (Command,), attributes))
    registry.replace(made)
    return made
