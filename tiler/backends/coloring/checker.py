"""Check a certificate against an instance, from scratch: nothing here is shared with the prover or with cover.py.

It is naive on purpose. Together with remaining_cells.py it turns shapes and lists placements with its own few lines, and follows
the proof step by step in whole numbers. `problem` is None only if the proof holds; then the instance has no tiling:

- `Area`: the copies in a tiling of a board, or of the rest of a board, are within the bounds and have its area; the proof says
  that no such numbers of copies exist.
- `Colourings`, `Weights`: a tiling covers every cell once, so the board weighs what the placements weigh; the proof says that it
  does not. The marks at the two ends of a side weigh equally much with opposite signs.
- `TutteSet`: without the cells of the set, the other cells fall into parts. In each part with an odd number of cells, some cell
  is covered together with a cell of the set, or alone; the proof says that there are too many odd parts.
- `Removal`: no tiling has a placement that leads to a contradiction. `Propagation`: every tiling has a placement that is forced.
- `Cases`: some placement covers a certain cell, or is of a certain tile; for each such placement the proof shows that what it
  leaves has no tiling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tiler.backends.coloring.remaining_cells import ResidualBoard, connected_parts, parts_of
from tiler.backends.coloring.visible_paint import CellEnd, PlacedLook
from tiler.model.instance import Instance
from tiler.model.lattice import Cell
from tiler.question.certificate import (
    Area,
    Cases,
    Certificate,
    Colouring,
    Colourings,
    Placed,
    Proof,
    Propagation,
    Removal,
    TutteSet,
    Weights,
)

#: The most sums of areas and weights that are listed; a proof that needs more is refused.
_MAX_SUMS = 2_000_000


def error_in(instance: Instance, certificate: Certificate) -> str | None:
    """What is wrong with a certificate, in words, or None if it proves that the instance has no tiling."""
    if certificate.digest != instance.digest:
        return "it is about another problem"
    try:
        return _wrong(ResidualBoard(instance), certificate.proof)
    except RecursionError:
        return "it is nested too deeply"


def error_in_signed(instance: Instance, signed: Mapping[Placed, int]) -> str | None:
    """What is wrong with a signed tiling: placements with factors that add up to the board, each tile within its bounds."""
    rest = ResidualBoard(instance)
    covered: Counter[int] = Counter()
    used: Counter[int] = Counter()
    for placed, factor in signed.items():
        if placed not in rest.placements:
            return f"{list(placed)} is no placement"
        used[placed[0]] += factor
        for cell in placed[1:]:
            covered[cell] += factor
    for cell in sorted(rest.open):
        if covered[cell] != 1:
            return f"cell {cell} is covered {covered[cell]} times"
    for tile, (least, most) in enumerate(zip(rest.least, rest.most, strict=True)):
        if not least <= used[tile] <= most:
            return f"tile {tile} is used {used[tile]} times, not {least} to {most} times"
    return None


def _wrong(rest: ResidualBoard, proof: Proof) -> str | None:
    match proof:
        case Area():
            return "some numbers of copies have the area of the board" if _sums(rest, []) else None
        case Colourings(colourings):
            return _wrong_colourings(rest, colourings)
        case Weights():
            return _wrong_weights(rest, proof)
        case TutteSet(cells):
            return _wrong_set(rest, cells)
        case Propagation():
            return None if rest.copy().fails() else "forced placements lead to no contradiction"
        case Removal(log, then):
            rest = rest.copy()
            for step, placed in enumerate(log, 1):
                if placed not in rest.placements:
                    return f"step {step} rules out {list(placed)}, which is no placement left"
                made = rest.copy()
                made.place(placed)
                if not made.fails():
                    return f"step {step} rules out {list(placed)}, which leads to no contradiction"
                rest.remove(placed)
            rest.fails()
            return _wrong(rest, then)
        case Cases(item, number, branches):
            rest = rest.copy()
            if item == "cell" and number in rest.open:
                needed = rest.covering[number]
            elif item == "tile" and 0 <= number < len(rest.least) and rest.least[number] > 0:
                needed = {placed for placed in rest.placements if placed[0] == number}
            else:
                return f"{item} {number} of a case split is no open cell, nor a tile that must be used"
            if needed != {placed for placed, _ in branches}:
                return f"the cases of {item} {number} are not all placements there"
            for placed, then in branches:
                made = rest.copy()
                made.place(placed)
                made.fails()
                wrong = _wrong(made, then)
                if wrong:
                    return f"case {list(placed)}: {wrong}"
            return None


def _wrong_colourings(rest: ResidualBoard, colourings: tuple[Colouring, ...]) -> str | None:
    if not colourings:
        return "there is no colouring"
    steps = []
    for colouring in colourings:
        modulus = colouring.modulus
        if modulus < 0 or modulus == 1:
            return f"nothing follows modulo {modulus}"
        wrong = _misfit(rest, colouring)
        if wrong:
            return wrong
        values = colouring.values
        others = [each for each in _weighed(rest, colouring) if _reduced(each[1] - values[each[0][0]], modulus)]
        if others:
            placed, weight = min(others)
            return f"{list(placed)} weighs {weight}, not {values[placed[0]]}{f' modulo {modulus}' if modulus else ''}"
        steps.append((modulus, colouring.values, sum(colouring.weights[cell] for cell in rest.open)))
    try:
        allowed = _sums(rest, steps)
    except OverflowError:
        return "it takes too many sums to follow"
    return "some numbers of copies weigh what the board weighs" if allowed else None


def _wrong_weights(rest: ResidualBoard, proof: Weights) -> str | None:
    wrong = _misfit(rest, proof)
    if wrong:
        return wrong
    heavier = [each for each in _weighed(rest, proof) if each[1] > proof.values[each[0][0]]]
    if heavier:
        placed, weight = min(heavier)
        return f"{list(placed)} weighs {weight}, more than {proof.values[placed[0]]}"
    # For each area, the greatest weight of tiles that have this area together.
    best = {0: 0}
    area = len(rest.open)
    for (size, least, most), value in zip(rest.within(), proof.values, strict=True):
        if least > most:
            return None
        best = {a + least * size: weight + least * value for a, weight in best.items()}
        for copies in parts_of(min(most - least, area // size)):
            for a, weight in sorted(best.items(), reverse=True):
                more = a + copies * size
                if more <= area:
                    best[more] = max(best.get(more, weight + copies * value), weight + copies * value)
    total = sum(proof.weights[cell] for cell in rest.open)
    if area in best and best[area] >= total:
        return f"tiles may weigh {best[area]}, and the board weighs no more than {total}"
    return None


def _wrong_set(rest: ResidualBoard, cells: tuple[int, ...]) -> str | None:
    without = set(cells)
    if len(without) < len(cells) or not without <= rest.open:
        return "a cell is there twice, or is no open cell"
    alone: set[int] = set()
    beside: dict[int, list[int]] = {cell: [] for cell in rest.open - without}
    for _, *covered in rest.placements:
        if len(covered) > 2:
            return f"a placement covers {len(covered)} cells"
        if len(covered) == 1:
            alone.add(covered[0])
        elif without.isdisjoint(covered):
            one, other = covered
            beside[one].append(other)
            beside[other].append(one)
    odd, closed = 0, 0
    for part in connected_parts(beside):
        if len(part) % 2:
            odd += 1
            closed += alone.isdisjoint(part)
    copies = sum(most for size, _, most in rest.within() if size == 1)
    if closed <= len(without) and odd <= len(without) + copies:
        return f"without the {len(without)} cells there are {odd} odd parts, which can be covered"
    return None


def _misfit(rest: ResidualBoard, proof: Colouring | Weights) -> str | None:
    """Why the weights do not fit the cells, tiles and marks of this problem; None if they do."""
    weights, values = len(proof.weights), len(proof.values)
    if weights != len(rest.board) or values != len(rest.sizes):
        return f"there are {weights} weights and {values} values for {len(rest.board)} cells and {len(rest.sizes)} tiles"
    if proof.marks and not rest.painted.is_paired:
        return "marks have weights, but one of them has several mates, which need not cancel it"
    for cell, beyond in sorted({(cell, beyond) for (cell, beyond, _), _ in proof.marks}):
        wrong = _no_side(rest, cell, beyond)
        if wrong:
            return f"the side from {cell} to {beyond}: {wrong}"
    return None


def _no_side(rest: ResidualBoard, cell: Cell, beyond: Cell) -> str | None:
    """Why marks at the two ends of a side may not cancel: some placement may lie there without a mark. None if they always
    cancel."""
    ends = rest.painted.ends(cell, beyond)
    if ends is None:
        return "there is none between two cells of the board"
    near, far = ends
    if not {near[0], far[0]} <= rest.open:
        return "its cells are not both open"
    for placed in rest.placements:
        there = [end for end in ends if end[0] in placed[1:]]
        for look in rest.looks.get(placed, {PlacedLook()}) if there else ():
            marked = sum(end in dict(look.marks) for end in there)
            # A placement that covers both cells must have marks at both ends, or at none.
            if marked != len(there) and (marked or len(there) == 1):
                return f"{list(placed)} may lie there without a mark"
    return None


def _weighed(rest: ResidualBoard, proof: Colouring | Weights) -> Iterator[tuple[Placed, int]]:
    """All placements that are left, each with its weight, in any order. A placement occurs once for each way it can look."""
    at: dict[tuple[CellEnd, str], int] = Counter()
    for (cell, beyond, mark), weight in proof.marks:
        ends = rest.painted.ends(cell, beyond)
        if ends is not None:
            at[ends[0], mark] += weight
            at[ends[1], rest.painted.mate(mark)] -= weight
    for placed in rest.placements:
        weight = sum([proof.weights[cell] for cell in placed[1:]])
        if not at:
            yield placed, weight
            continue
        for look in rest.looks.get(placed, {PlacedLook()}):
            yield placed, weight + sum(at.get(each, 0) for each in look.marks)


def _reduced(weight: int, modulus: int) -> int:
    """A weight modulo `modulus`; unchanged if that is 0."""
    return weight % modulus if modulus else weight


def _sums(rest: ResidualBoard, steps: list[tuple[int, tuple[int, ...], int]]) -> bool:
    """Whether some numbers of copies within the bounds have the area of the board and, in every step, the weight of the board.

    A step is a modulus (0: none), the weight of each tile, and the weight of the board.
    """
    within = rest.within()
    if any(least > most for _, least, most in within):
        return False

    def reduced(weights: list[int]) -> list[int]:
        return [_reduced(w, modulus) for w, (modulus, _, _) in zip(weights, steps, strict=True)]

    area = len(rest.open)
    sums = {(0, *[0] * len(steps))}
    for tile, (size, least, most) in enumerate(within[:-1]):
        parts = list(parts_of(min(most - least, area // size)))
        for copies, also_without in [(least, False), *[(part, True) for part in parts]]:
            moved = {
                (
                    a + copies * size,
                    *reduced([w + copies * values[tile] for w, (_, values, _) in zip(weights, steps, strict=True)]),
                )
                for a, *weights in sums
                if a + copies * size <= area
            }
            sums = sums | moved if also_without else moved
            if len(sums) > _MAX_SUMS:
                raise OverflowError
    # How often the last tile is used follows from the area.
    size, least, most = within[-1]
    for a, *weights in sums:
        copies, left_over = divmod(area - a, size)
        if not left_over and least <= copies <= most:
            differences = [w + copies * values[-1] - total for w, (_, values, total) in zip(weights, steps, strict=True)]
            if not any(reduced(differences)):
                return True
    return False
