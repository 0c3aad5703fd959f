"""What a search did, for people: the counters of `--stats` and the steps of `--trace`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from tiler import printable
from tiler.amounts import duration

if TYPE_CHECKING:
    from tiler.ask.solve import Answered
    from tiler.model.tile import Placement


T = TypeVar("T")


def table(answer: Answered[Any]) -> str:
    """Seconds and counters; of FILA also fits, no-fits and attempts by pieces left, as Busche's tables have them."""
    stats = dict(answer.result.stats)
    by_pieces = [stats.pop(name, None) for name in ("fits", "nofits")]
    lines = [
        f"solver  {answer.solver}",
        f"encode  {duration(answer.encode_seconds)}",
        f"solve   {duration(answer.solve_seconds)}",
        f"verify  {duration(answer.verify_seconds)}",
        f"draw    {duration(answer.draw_seconds)}",
        *(_counter(name, value) for name, value in stats.items()),
    ]
    if all(by_pieces):
        lines += ["", *_fits(*by_pieces)]
    return "\n".join(lines)


def _counter(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{name}  {'yes' if value else 'no'}"
    if name.endswith("_seconds"):
        return f"{name.removesuffix('_seconds')}  {duration(value)}"
    return printable.line(f"{name}  {value:,}" if isinstance(value, int) else f"{name}  {value}")


def tracer(stream: TextIO, in_words: Callable[[T], str]) -> Callable[[tuple[T, ...]], None]:
    """Prints what changes from one stack of choices to the next: + a choice, - a removal, deeper ones further in."""
    before: tuple[T, ...] = ()

    def trace(now: tuple[T, ...]) -> None:
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


def _fits(fits: list[int], nofits: list[int]) -> list[str]:
    """One row per number of pieces left when the attempts were made, then the sums."""
    rows = [("pieces left", "fits", "no-fits", "attempts")]
    used = [p for p in range(len(fits)) if fits[p] or nofits[p]]
    rows += [(str(p), f"{fits[p]:,}", f"{nofits[p]:,}", f"{fits[p] + nofits[p]:,}") for p in used]
    rows += [("all", f"{sum(fits):,}", f"{sum(nofits):,}", f"{sum(fits) + sum(nofits):,}")]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return ["  ".join(f"{text:>{width}}" for text, width in zip(row, widths, strict=True)) for row in rows]
