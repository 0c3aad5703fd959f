"""Show the problems that are installed with Tiler, or those of a folder: as a table, as a sheet, and as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, overload

from tiler import printable
from tiler.amounts import counted
from tiler.api.answers.saving import Forms, Savable, json_lines, pictures
from tiler.bench import corpus
from tiler.errors import InputError, suggest
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.render import drawing, pages, table
from tiler.render.scene import Page

_HEADS = ("name", "title", "cells", "tilings", "orbits")


@dataclass(frozen=True, repr=False)
class Problems(Sequence[Instance], Savable):
    """Instances with their names, and how many tilings and orbits they have, where that is known. Notebooks draw their boards,
    `str` makes a table of them, and `save` a file.

    >>> import tiler
    >>> problems = tiler.problems("4L/10x10")
    >>> problems, problems[0].about.expected.verdict
    (Problems(1 problem in problems/), <Status.UNSAT: 'unsat'>)
    """

    folder: str  #: its name
    instances: tuple[Instance, ...]

    @classmethod
    def of(cls, names: Sequence[str], tags: Sequence[str], families: Sequence[str], folder: str | Path | None) -> Problems:
        """The problems with one of the names, one of the tags and one of the families; an empty list allows all. InputError, with
        what there is, if there are none."""
        where = corpus.find_folder(folder)
        known = sorted({corpus.family(name) for name in corpus.names(where)})
        for family in families:
            if family not in known:
                raise InputError(f"no family is called {family!r}{suggest(family, known)}; there are {', '.join(known)}")
        chosen = [each for each in corpus.select(where, names, tags) if not families or corpus.family(each.name) in families]
        if not chosen:
            raise InputError(f"none of these is in the family {' or '.join(families)}")
        return cls(where.name, tuple(chosen))

    @overload
    def __getitem__(self, number: int) -> Instance: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Instance, ...]: ...
    def __getitem__(self, number: int | slice) -> Instance | tuple[Instance, ...]:
        return self.instances[number]

    def __len__(self) -> int:
        return len(self.instances)

    def __repr__(self) -> str:
        return f"Problems({self.title})"

    def __str__(self) -> str:
        return self.text()

    def text(self, width: int | None = None) -> str:
        """The table, where need be cut to a width."""
        rows = [tuple(map(printable.line, _row(instance))) for instance in self]
        return table.draw(rows, _HEADS, texts=2, width=width)

    def json(self) -> str:
        """A line for each, as `tiler problems --format json` prints it."""
        return json_lines(map(_summary, self))

    @property
    def title(self) -> str:
        """The number of problems, and their folder."""
        return f"{counted(len(self), 'problem')} in {self.folder}/"

    def page(self) -> Page:
        """A sheet with their boards."""
        return pages.album([pages.one(drawing.panels(instance, ()), instance.name) for instance in self])

    def forms(self) -> Forms:
        """The boards as .svg, .png or .pdf, the table as .json or .txt."""
        return {**pictures(self.page, self.title), "json": self.json, "txt": self.printed}


def _row(instance: Instance) -> tuple[str, ...]:
    expected = instance.about.expected
    verdict = {Status.SAT: "some", Status.UNSAT: "none", None: ""}[expected.verdict]
    tilings = verdict if expected.count is None else _count(expected.count)
    orbits = "" if expected.up_to_symmetry is None else _count(expected.up_to_symmetry)
    return instance.name, instance.about.title, f"{len(instance.board):,}", tilings, orbits


def _count(number: int) -> str:
    """A number of any size, with three figures if it has more than a column has room for."""
    return f"{number:,}" if number < 10**10 else f"{Decimal(number):.3g}"


def _summary(instance: Instance) -> dict[str, Any]:
    about = instance.about
    return {
        "name": instance.name,
        "title": about.title,
        "source": about.source,
        "tags": about.tags,
        "cells": len(instance.board),
        "dimension": instance.dimension,
        "verdict": about.expected.verdict,
        "count": about.expected.count,
        "count_up_to_symmetry": about.expected.up_to_symmetry,
    }
