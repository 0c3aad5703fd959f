"""Describe the solvers and their options, from their classes."""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, overload

from tiler import printable
from tiler.amounts import counted
from tiler.backends import plugins
from tiler.backends.base import Backend
from tiler.backends.command import Command
from tiler.backends.registry import backends, parse_spec
from tiler.optional_packages import is_installed, pip_install
from tiler.question.question import Goal
from tiler.render import table

_WIDTH = 79
_COMMON = {field.name: field for field in dataclasses.fields(Backend)}


@dataclass(frozen=True, repr=False)
class SolverInfo:
    """A description of a solver; `str` prints it.

    >>> import tiler
    >>> tiler.solvers("coloring")[0].goals
    ('decide', 'prove')
    """

    backend: type[Backend]

    @property
    def name(self) -> str:
        """The name with which a spec begins."""
        return self.backend.name

    @property
    def goals(self) -> tuple[str, ...]:
        """What it can be asked: decide, count, enumerate, ..."""
        return tuple(str(goal) for goal in Goal if self.backend.can(goal))

    @property
    def is_installed(self) -> bool:
        """Whether it can be used here."""
        return not self.backend.absent() and not self.backend.missing()

    @property
    def state(self) -> str:
        """`installed`, or what is missing."""
        missing = self.backend.missing()
        return self.backend.absent() or (f"not installed: {pip_install(missing)}" if missing else "installed")

    @property
    def source(self) -> str:
        """The file or the module that it comes from; empty if it is one of Tiler's own."""
        return self.backend.declared.file if issubclass(self.backend, Command) else plugins.source_of(self.backend)

    @property
    def about(self) -> str:
        """How it works."""
        return inspect.cleandoc(self.backend.__doc__ or "")

    @property
    def options(self) -> dict[str, str]:
        """What each of its options means."""
        return {field.name: field.metadata["help"] for field in dataclasses.fields(self.backend)}

    def __repr__(self) -> str:
        return f"SolverInfo({self.name}: {', '.join(self.goals)})"

    def __str__(self) -> str:
        return self.text(at_length=True)

    def text(self, *, at_length: bool) -> str:
        """The questions that it can answer, its options, and the first paragraph of its description; at length, the whole
        description."""
        claims = ", ".join(self.goals) + ("" if self.backend.complete else "; its search is incomplete")
        head = f"{self.name}  ({self.state}; can {claims})"
        origin = [f"  From {printable.line(_from_here(self.source))}."] if self.source else []
        about = [_filled(part) for part in self.about.split("\n\n")]
        own = [field for field in dataclasses.fields(self.backend) if field.name not in _COMMON]
        return "\n".join(
            [
                textwrap.fill(head, _WIDTH, subsequent_indent="    ", break_long_words=False),
                *origin,
                textwrap.indent("\n\n".join(about if at_length else about[:1]), "  "),
                *(_option(field, self._lacking(field.name)) for field in own),
            ]
        )

    def _lacking(self, option: str) -> list[str]:
        """The values of an option that need what is not installed, with what to install."""
        extras = [(value, module) for (name, value), module in self.backend.extras.items() if name == option]
        programs = [(value, self.backend.missing_program(name, value)) for name, value in self.backend.programs if name == option]
        return [
            *(f"{value} ({pip_install([module])})" for value, module in extras if not is_installed(module)),
            *(f"{value} ({missing})" for value, missing in programs if missing),
        ]


@dataclass(frozen=True, repr=False)
class Solvers(Sequence[SolverInfo]):
    """Solvers, all or some; `str` prints what they can do, with their options."""

    listed: tuple[SolverInfo, ...]
    at_length: bool = False  #: whether it is printed how they work

    @classmethod
    def of(cls, names: Sequence[str]) -> Solvers:
        """The solvers with these names, or all. UnknownBackend if there is no solver of a name."""
        chosen = [type(parse_spec(name)) for name in names] or list(backends().values())
        return cls(tuple(map(SolverInfo, chosen)), at_length=bool(names))

    @overload
    def __getitem__(self, number: int) -> SolverInfo: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[SolverInfo, ...]: ...
    def __getitem__(self, number: int | slice) -> SolverInfo | tuple[SolverInfo, ...]:
        return self.listed[number]

    def __len__(self) -> int:
        return len(self.listed)

    def _repr_html_(self) -> str:
        """A table: name, questions, what to install if it is missing, and the first sentence of how it works."""
        rows = [(each.name, ", ".join(each.goals), each.state, each.about.partition(".")[0]) for each in self]
        return table.html(rows, ("solver", "questions", "state", "how it works"), texts=4)

    def __repr__(self) -> str:
        return f"Solvers({counted(len(self), 'solver')}: {', '.join(each.name for each in self)})"

    def __str__(self) -> str:
        parts = [each.text(at_length=self.at_length) for each in self]
        parts += [f"{printable.line(each.name)}  (broken: {printable.line(each.why)})" for each in plugins.broken()]
        parts.append("\n".join(["Every solver:", *map(_option, _COMMON.values())]))
        if not self.at_length:
            parts.append("A spec is NAME[:KEY=VALUE,...]; tiler solvers NAME explains how a solver works.")
        return "\n\n".join(parts)


def _from_here(source: str) -> str:
    """A path as `./tiler.toml` if it is below the current folder; anything else as it is."""
    path, here = Path(source), Path.cwd()
    return f"./{path.relative_to(here)}" if path.is_relative_to(here) else source


def _filled(part: str) -> str:
    """A paragraph, or a list of points each on lines of its own, in lines that fit.

    >>> _filled("- one\\n- two, which\\n  goes on")
    '- one\\n- two, which goes on'
    """
    points = re.split(r"\n(?=- )", part)
    return "\n".join(textwrap.fill(" ".join(point.split()), 77, subsequent_indent="  " * (point[:2] == "- ")) for point in points)


def _option(field: dataclasses.Field[Any], lacking: Sequence[str] = ()) -> str:
    """An option with its values, its meaning, its default, and those of its values that are `lacking`."""
    is_switch = isinstance(field.default, bool)
    values = "on|off" if is_switch else "|".join(field.metadata["choices"]) or ("N" if isinstance(field.default, int) else "...")
    default = ("on" if field.default else "off") if is_switch else field.default
    text = f"{field.metadata['help']} (default: {default})" + (f"; not installed: {', '.join(lacking)}" if lacking else "")
    head = f"    {field.name}={values}"
    if len(head) > _WIDTH:
        head = textwrap.fill(
            f"{field.name}={values.replace('|', ' | ')}", _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8
        )
    return f"{head}\n" + textwrap.fill(text, _WIDTH - 5, initial_indent=" " * 8, subsequent_indent=" " * 8)
