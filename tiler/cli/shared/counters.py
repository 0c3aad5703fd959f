"""Print what a search did: the counters of `--stats` and the steps of `--trace`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from tiler import printable
from tiler.amounts import duration
from tiler.render import table as tables

if TYPE_CHECKING:
    from tiler.ask.solve import Answered
    from tiler.model.tile import Placement


T = TypeVar("T")

_STATES = 20  #: the number of rows to show of the table by cells and neighbours


def table(answer: Answered[Any]) -> str:
    """Seconds and counters; of FILA also fits, no-fits and attempts by pieces left, as Busche's tables have them."""
    stats: dict[str, Any] = {"nodes": answer.result.nodes, **answer.result.stats}
    by_pieces = [stats.pop(name, None) for name in ("fits", "nofits")]
    log = stats.pop("log", [])
    targets, by_state = stats.pop("targets", None), stats.pop("by_state", None)
    rows = [
        ("solver", answer.solver),
        ("encode", duration(answer.encode_seconds)),
        ("solve", duration(answer.solve_seconds)),
        ("verify", duration(answer.verify_seconds)),
        ("draw", duration(answer.draw_seconds)),
        *(_counter(name, value) for name, value in stats.items()),
        *(("" if number else "plan", line) for number, line in enumerate(str(answer.result.plan or "").splitlines())),
    ]
    lines = tables.draw(((printable.line(name), printable.line(value)) for name, value in rows), texts=2)
    if log:
        lines += "".join(f"\n  {printable.line(line)}" for line in ("", *map(str, log)))
    fits, nofits = by_pieces
    more = [_fits(fits, nofits, targets)] if fits and nofits else []
    more += [_by_state(by_state)] if by_state else []
    return "\n\n".join([lines, *more])


def _counter(name: str, value: Any) -> tuple[str, str]:
    """A counter in words. A counter with a value for each of several things (stages, solvers) lists them."""
    is_seconds = name.endswith("_seconds")

    def shown(value: Any) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{key} {shown(each)}" for key, each in value.items())
        if isinstance(value, bool):
            return "yes" if value else "no"
        if is_seconds:
            return duration(value)
        return f"{value:,}" if isinstance(value, int) else str(value)

    return name.removesuffix("_seconds"), shown(value)


def tracer(stream: TextIO, in_words: Callable[[T], str]) -> Callable[[tuple[T, ...], object], None]:
    """Prints what changes from one stack of choices to the next: + a choice, - a removal, deeper ones further in."""
    before: tuple[T, ...] = ()

    def trace(now: tuple[T, ...], _item: object) -> None:
        nonlocal before
        same = 0
        while same < min(len(before), len(now)) and before[same] == now[same]:
            same += 1
        for depth in range(len(before) - 1, same - 1, -1):
            print(f"{' ' * depth}- {printable.line(in_words(before[depth]))}", file=stream)
        for depth in range(same, len(now)):
            print(f"{' ' * depth}+ {printable.line(in_words(now[depth]))}", file=stream)
        before = now

    return trace


def placed(placement: Placement) -> str:
    """The text of a placement in a trace."""
    return f"{placement.tile}  {' '.join(','.join(map(str, cell)) for cell in sorted(placement.cells))}"


def _fits(fits: list[int], nofits: list[int], targets: list[int] | None) -> str:
    """One row per number of pieces left when the attempts were made, then the sums; with averages per target, if known."""
    used = [p for p in range(len(fits)) if fits[p] or nofits[p]]
    rows = [(str(p), fits[p], nofits[p], targets[p] if targets else 0) for p in used]
    rows.append(("all", sum(fits), sum(nofits), sum(targets or ())))
    cells = [(p, f"{fit:,}", f"{no:,}", f"{fit + no:,}", *_per_target(fit, no, n, targets)) for p, fit, no, n in rows]
    heads = ("pieces left", "fits", "no-fits", "attempts", *(("targets", "fits each", "no-fits each") if targets else ()))
    return tables.draw(cells, heads, texts=0)


def _per_target(fit: int, no: int, count: int, targets: list[int] | None) -> tuple[str, ...]:
    """The number of targets, and the placements tried at each of them on average."""
    if targets is None:
        return ()
    return (f"{count:,}", f"{fit / count:.2f}", f"{no / count:.2f}") if count else ("0", "", "")


def _by_state(counted: dict[str, dict[str, list[int]]]) -> str:
    """The placements tried at the cells that were targets most often, by the state of their neighbours."""
    rows = [(n, cell, state, fit, no) for cell, states in counted.items() for state, (n, fit, no) in states.items()]
    rows.sort(key=lambda row: (-row[0], row[1:]))
    cells = [(cell, state or "-", f"{n:,}", f"{fit / n:.2f}", f"{no / n:.2f}") for n, cell, state, fit, no in rows[:_STATES]]
    drawn = tables.draw(cells, ("cell", "filled", "targets", "fits each", "no-fits each"), texts=2)
    rest = f"\n{len(rows) - _STATES:,} more states are in the JSON record" if len(rows) > _STATES else ""
    return f"{drawn}{rest}"
