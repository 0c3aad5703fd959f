"""Forecast the time and memory of a count by states, as an estimate like those of searches with trees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tiler.backends.base import Backend
from tiler.backends.frontier import Frontier
from tiler.cover.board import on_board
from tiler.cover.cover import Cover
from tiler.errors import BadOption
from tiler.kernels import loading
from tiler.process.cancellation import StopCheck, Stopped
from tiler.process.clocks import process_seconds
from tiler.question.events import Events, Progress
from tiler.question.question import Goal, Limits, Question

#: The worst observed errors of the forecast of states, bytes and seconds, as factors.
TYPICAL, TYPICAL_OF_BYTES = 1.5, 2.0
_SLICE_SECONDS = 0.5


class States(NamedTuple):
    """The forecast of a count by states, for all its parts together, which are counted one after the other."""

    states: float
    at_once: float  #: the most states kept at a time
    bytes: float  #: the most that they take
    seconds: float
    layers: tuple[tuple[float, ...], ...]  #: states by layer, of every part
    is_exact: bool  #: whether the states were all seen
    seconds_per_state: float
    pool: int  #: the states of a layer that were taken on
    in_halves: bool = False  #: whether a count goes in two halves, which takes less than the layers that are forecast

    def summary(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"at_once": self.at_once, "bytes": self.bytes, "layers": [list(layers) for layers in self.layers]}


def by_states(
    parts: Sequence[tuple[Backend, Cover]], *, pool: int | None, seed: int, going_on: Callable[[Progress], bool]
) -> States:
    """The forecast of a count in these parts. Seconds are estimated from the pace of a slice of the largest part, if that is
    counted in tables. BadOption if one of the parts is not counted by states; `Stopped` if `going_on` says False."""
    from tiler.backends.frontier.halves.meet_in_the_middle import Halves
    from tiler.backends.frontier.shared.model import Model
    from tiler.backends.frontier.shared.symmetries import Symmetries
    from tiler.backends.frontier.tables import forecast
    from tiler.backends.frontier.tables.hash_tables import Tables

    found: list[tuple[forecast.Forecast, Backend, Cover]] = []

    def check_stop() -> None:
        if not going_on(Progress(int(sum(each.states for each, *_ in found)), fraction=len(found) / len(parts))):
            raise Stopped("interrupted")

    used, in_halves = 0, False
    for backend, cover in parts:
        if not isinstance(backend, Frontier):
            raise BadOption(f"a part of the count is searched by {backend.name}, not by states; estimate --solver {backend.name}")
        rest = reduced(backend, cover, check_stop)
        if rest is not None:
            board = on_board(rest, backend.name)
            model = Model.of(board, backend.order, check_stop)
            used = pool or forecast.pool_for(model)
            symmetries = Symmetries.of(board, model, check_stop)
            in_halves |= not Tables.suits(model) and Halves.suits(model)
            found.append((forecast.forecast(model, symmetries, pool=used, seed=seed, check_stop=check_stop), backend, board))
    if not found:
        return States(0, 0, 0, 0, (), True, 0, used)
    states = sum(each.states for each, *_ in found)
    largest = max(found, key=lambda each: each[0].transitions)
    pace = None if in_halves else _seconds_per_transition(*largest[1:])
    pace = pace or largest[0].seconds / max(1.0, largest[0].transitions)
    seconds = pace * sum(each.transitions for each, *_ in found)
    return States(
        states,
        max(each.at_once for each, *_ in found),
        max(each.bytes for each, *_ in found),
        seconds,
        tuple(each.layers for each, *_ in found),
        all(each.is_exact for each, *_ in found),
        seconds / max(1.0, states),
        used,
        in_halves,
    )


def reduced(backend: Backend, cover: Cover, check_stop: StopCheck) -> Cover | None:
    """The cover as its search has it; None if there is nothing to search."""
    if cover.refusal() is None:
        cover = backend.reduce(cover, Question(Goal.COUNT), check_stop)
    return None if cover.refusal() is not None else cover


def _seconds_per_transition(backend: Backend, cover: Cover) -> float | None:
    """CPU seconds per transition, from a slice of the true count; None if it is too short to tell."""
    marks: list[tuple[float, int]] = []

    def mark(stats: Mapping[str, Any]) -> None:
        # Without the time that it takes to load kernels.
        marks.append((process_seconds() - loading.cpu_seconds, int(stats.get("transitions", 0))))

    with Events(backend.start(cover, Question(Goal.COUNT, Limits(seconds=_SLICE_SECONDS)))) as events:
        for event in events:
            if isinstance(event, Progress):
                mark(event.stats)
    mark(events.result.stats)
    (first, before), (last, after) = marks[0], marks[-1]
    return (last - first) / (after - before) if after > before + 100_000 else None
