"""Define the messages that say what can be named: lattices, sets, boards, problems, solvers, questions and forms of files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class LatticeEntryMessage:
    """A lattice in the catalogue."""

    name: str
    dimension: int
    help: str


@dataclass(frozen=True)
class SetEntryMessage:
    """A set of pieces in the catalogue."""

    name: str
    lattice: str
    help: str


@dataclass(frozen=True)
class BoardEntryMessage:
    """A named board in the catalogue."""

    name: str
    lattice: str
    help: str


@dataclass(frozen=True)
class ProblemEntryMessage:
    """A problem in the catalogue."""

    name: str
    title: str
    tags: tuple[str, ...]
    family: str
    lattice: str
    cells: int
    verdict: Literal["sat", "unsat"] | None = None
    count: str | None = None


@dataclass(frozen=True)
class SolverEntryMessage:
    """A solver in the catalogue."""

    name: str
    help: str
    installed: bool
    source: str


@dataclass(frozen=True)
class ParameterMessage:
    """A parameter of a question, from its declaration: `values` says in words which values it takes, `absent` what the default
    null means, and `excludes` which parameters must then keep their defaults."""

    name: str
    kind: str
    values: str
    default: Any
    is_required: bool
    help: str
    metavar: str
    absent: str
    choices: tuple[str, ...]
    excludes: tuple[str, ...]


@dataclass(frozen=True)
class FormMessage:
    """A question that can be asked, with its parameters."""

    name: str
    help: str
    about: Literal["problem", "tiles", "tiling"]
    parameters: tuple[ParameterMessage, ...]


@dataclass(frozen=True)
class SaveFormMessage:
    """A form of files."""

    form: str
    help: str
    needs: Literal["problem", "tiling", "tilings"]


@dataclass(frozen=True)
class CatalogueMessage:
    """All that can be named."""

    version: str
    lattices: tuple[LatticeEntryMessage, ...]
    sets: tuple[SetEntryMessage, ...]
    boards: tuple[BoardEntryMessage, ...]
    problems: tuple[ProblemEntryMessage, ...]
    solvers: tuple[SolverEntryMessage, ...]
    questions: tuple[FormMessage, ...]
    forms: tuple[SaveFormMessage, ...]
