"""What a search did, for people: the counters of `--stats` and the steps of `--trace`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from tiler import printable
from tiler.amounts import duration
from tiler.render import table as tables

if TYPE_CHECKING:
    from tiler.ask.solve import Answered
    from tiler.model.tile import Placement


T = TypeVar("T")


def table(answer: Answered[Any]) -> str:
    """Seconds and counters; of FILA also fits, no-fits and attempts by pieces left, as Busche's tables have them."""
    stats = dict(answer.result.stats)
    by_pieces = [stats.pop(name, None) for name in ("fits", "nofits")]
    log = stats.pop("log", [])
    rows = [
        ("solver", answer.solver),
        ("encode", duration(answer.encode_seconds)),
        ("solve", duration(answer.solve_seconds)),
        ("verify", duration(answer.verify_seconds)),
        ("draw", duration(answer.draw_seconds)),
        *(_counter(name, value) for name, value in stats.items()),
    ]
    lines = tables.draw(((printable.line(name), printable.line(value)) for name, value in rows), texts=2)
    if log:
        lines += "".join(f"\n  {printable.line(line)}" for line in ("", *map(str, log)))
    return f"{lines}\n\n{_fits(*by_pieces)}" if all(by_pieces) else lines


def _counter(name: str, value: Any) -> tuple[str, str]:
    if isinstance(value, bool):
        return name, "yes" if value else "no"
    if name.endswith("_seconds"):
        return name.removesuffix("_seconds"), duration(value)
    return name, f"{value:,}" if isinstance(value, int) else str(value)


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
    """A placement as a tracer prints it."""
    return f"{placement.tile}  {' '.join(','.join(map(str, cell)) for cell in sorted(placement.cells))}"


def _fits(fits: list[int], nofits: list[int]) -> str:
    """One row per number of pieces left when the attempts were made, then the sums."""
    used = [p for p in range(len(fits)) if fits[p] or nofits[p]]
    rows = [(str(p), f"{fits[p]:,}", f"{nofits[p]:,}", f"{fits[p] + nofits[p]:,}") for p in used]
    rows.append(("all", f"{sum(fits):,}", f"{sum(nofits):,}", f"{sum(fits) + sum(nofits):,}"))
    return tables.draw(rows, ("pieces left", "fits", "no-fits", "attempts"), texts=0)
