"""Check a disassembly by sets of cells and single steps, without sharing anything with the search for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tiler.apps.puzzles.apart.disassembly import Disassembly, Slide
from tiler.model.lattice import Cell, Shape, box, move


def error_in(shapes: Sequence[Shape], disassembly: Disassembly, together: Sequence[frozenset[int]] = ()) -> str | None:
    """What is wrong with a disassembly of pieces on squares or cubes; None if nothing is.

    Every move must be possible. If the disassembly says that the assembly comes apart, the only pieces left together are those in
    one of the sets `together`. That stuck pieces are really stuck is not checked.
    """
    places = dict(enumerate(shapes))
    parts = [tuple(range(len(shapes)))] if len(shapes) > 1 else []
    for number, separation in enumerate(disassembly.separations, 1):
        if separation.pieces not in parts or not separation.removed or not separation.left:
            return f"separation {number} is of pieces that do not lie together"
        parts.remove(separation.pieces)
        parts += [part for part in (separation.removed, separation.left) if len(part) > 1]
        positions = {piece: places[piece] for piece in separation.pieces}
        for turn, slide in enumerate(separation.slides, 1):
            if slide.off is not (turn == len(separation.slides)):
                return f"separation {number} does not end as pieces go off"
            wrong = _slid(positions, slide)
            if wrong:
                return f"separation {number}, move {turn}: {wrong}"
        if {*separation.slides[-1].pieces} not in ({*separation.removed}, {*separation.left}):
            return f"separation {number}: other pieces go off"
        places |= positions
    left = [part for part in parts if not any(group.issuperset(part) for group in together)]
    if left != ([disassembly.stuck] if disassembly.stuck else []) and disassembly.comes_apart:
        return f"pieces {left[0]} are left together"
    return None


def _slid(places: dict[int, Shape], slide: Slide) -> str | None:
    """Make a move step by step, and change `places`. Returns what is wrong with the move, or None."""
    if not slide.pieces or not any(slide.vector) or not places.keys() > {*slide.pieces}:
        return "it moves nothing"
    others = {cell: piece for piece, shape in places.items() if piece not in slide.pieces for cell in shape}
    for step in _steps(slide, places):
        for piece in slide.pieces:
            places[piece] = move(places[piece], step)
            met = next((others[cell] for cell in sorted(places[piece]) if cell in others), None)
            if met is not None:
                return f"piece {piece} meets piece {met}"
    return None


def _steps(slide: Slide, places: dict[int, Shape]) -> Iterator[Cell]:
    """The single steps of a move. Pieces that go off make steps until nothing can be in their way any more."""
    (way,) = (axis for axis, by in enumerate(slide.vector) if by)
    step = tuple((a > 0) - (a < 0) for a in slide.vector)
    far = abs(slide.vector[way])
    if slide.off:
        low, high = box(frozenset(cell for shape in places.values() for cell in shape))
        far = high[way] - low[way] + 1
    for _ in range(far):
        yield step
