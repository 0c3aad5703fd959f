"""Define the messages of the room *Race*: several solvers search for the same thing, and the page shows what lies on the board of
each. `messages` says how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tiler.apps.studio.messages import Cell, Data, LatticeMessage

Goal = Literal["decide", "count"]


@dataclass(frozen=True)
class AboutRaceMessage:
    """Ask who can race on a problem."""

    problem: Data


@dataclass(frozen=True)
class OrderRaceMessage:
    """Ask for an order of cells as the file that the command reads."""

    problem: Data
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class RaceOrderMessage:
    """An order of cells as a file."""

    text: str


@dataclass(frozen=True)
class RacerMessage:
    """A solver that takes part: its spec, for `backtracking` an order of cells that was drawn, and what it is called."""

    solver: str
    cells: tuple[Cell, ...] = ()
    name: str = ""


@dataclass(frozen=True)
class BeginRaceMessage:
    """Begin a race in the session of a tab, in place of the last one. `per_second` is the pace of all racers."""

    session: str
    problem: Data
    goal: Goal
    racers: tuple[RacerMessage, ...]
    per_second: int | None = None


@dataclass(frozen=True)
class PaceRaceMessage:
    """The pace of one racer, by its number, or of all. `per_second` is in nodes: None is full speed, 0 a pause, in which `steps`
    more nodes are made."""

    session: str
    racer: int | None = None
    per_second: int | None = None
    steps: int = 0


@dataclass(frozen=True)
class EndRaceMessage:
    """End the race of a session; who is not there by then stays unfinished."""

    session: str


@dataclass(frozen=True)
class CellOrderMessage:
    """An order of the cells of a board, as numbers of cells."""

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class RaceSolverMessage:
    """A solver that shows its steps: how it works, in a sentence, and for each goal why it refuses the problem, empty if it does
    not."""

    name: str
    sentence: str
    takes_cells: bool
    refusals: tuple[tuple[Goal, str], ...] = ()


@dataclass(frozen=True)
class RaceTileMessage:
    """A tile by its name and its colour."""

    name: str
    fill: str


@dataclass(frozen=True)
class RaceAboutMessage:
    """A problem for a race: how it is drawn, the orders of cells that have a name, and who can race. `drawable`: whether an order
    can be drawn."""

    title: str
    lattice: LatticeMessage
    cells: tuple[Cell, ...]
    tiles: tuple[RaceTileMessage, ...]
    orders: tuple[CellOrderMessage, ...]
    drawable: bool
    solvers: tuple[RaceSolverMessage, ...]


@dataclass(frozen=True)
class RacerStateMessage:
    """How far a racer is. A piece is [tile, cell, ...], by numbers; the last one was laid last. `place` is 1 for the racer that
    was there first, 0 for one that is not there. `seconds` are those of its search at full speed, in CPU time, once they are
    known."""

    name: str
    state: Literal["preparing", "searching", "paused", "measuring", "done", "failed", "ended"]
    nodes: int = 0
    per_second: int = 0
    found: str = "0"
    pieces: tuple[tuple[int, ...], ...] = ()
    pace: int | None = None
    place: int = 0
    status: str = ""
    seconds: float | None = None
    sentence: str = ""


@dataclass(frozen=True)
class RaceFrameMessage:
    """All racers of a race, by its number, and at the end what came of it."""

    race: int
    racers: tuple[RacerStateMessage, ...]
    over: bool
    sentences: tuple[str, ...] = ()


REQUESTS = (AboutRaceMessage, OrderRaceMessage, RacerMessage, BeginRaceMessage, PaceRaceMessage, EndRaceMessage)
