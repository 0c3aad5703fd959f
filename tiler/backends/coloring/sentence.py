"""Say a proof in one sentence with its numbers, all computed again from the certificate."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice

import numpy as np

from tiler import portable
from tiler.amounts import counted
from tiler.backends.coloring.readable_colourings import recognise
from tiler.backends.matching.graph import connected
from tiler.cover.board import BoardCover
from tiler.cover.count_vectors import Congruence, CountVectors
from tiler.cover.remainder import Remainder
from tiler.question.certificate import (
    Area,
    Cases,
    Colouring,
    Colourings,
    Proof,
    Propagation,
    Removal,
    TutteSet,
    Weights,
)

_FEW = 12  #: totals that are listed, no more


def sentence(remainder: Remainder, proof: Proof) -> str:
    """What a proof about a whole cover says."""
    match proof:
        case Area():
            return _area(remainder)
        case Colourings((colouring,)):
            return _marks(remainder, colouring) if colouring.marks else _colouring(remainder, colouring)
        case Colourings(colourings):
            return f"{len(colourings)} colourings: whatever numbers of tiles fill the board, in one of them they do not add up"
        case Weights():
            if proof.marks:
                return _heavy_marks(remainder, proof)
            return hall(proof) if is_hall(remainder, proof) else _weights(remainder, proof)
        case TutteSet():
            return tutte(remainder.cover, proof)
        case Propagation():
            return "placements that are forced, one after the other, lead to a contradiction"
        case Removal((), then):
            return f"placements that are forced are made; then {_then(then)}"
        case Removal(log, then):
            return f"{_placements(len(log))} lead to a contradiction and can be ruled out; then {_then(then)}"
        case Cases():
            return _cases(proof)


def hall(proof: Weights) -> str:
    """What weights of 1 on some cells and -1 on all their neighbours say, where every tile covers two cells."""
    some, beside = proof.weights.count(1), proof.weights.count(-1)
    have = "has" if some == 1 else "have"
    said = f"{counted(some, 'cell')} {have} only {counted(beside, 'neighbour')} to be covered with"
    return f"{said}, and too few of them may stay open" if any(proof.values) else said


def tutte(cover: BoardCover, proof: TutteSet) -> str:
    """How many odd parts are left without the cells of a set."""
    is_left = ~np.isin(portable.arange(len(cover.items)), proof.cells)
    ends = cover.members.restrict(np.diff(cover.members.starts) == 2).values.reshape(-1, 2).astype(np.int64)
    part = connected(len(cover.items), ends[is_left[ends].all(axis=1)])
    odd = int((np.unique(part[is_left], return_counts=True)[1] % 2).sum())
    return (
        f"without {counted(len(proof.cells), 'cell')} the others fall into {odd:,} parts of an odd number of cells; of each part "
        f"one cell would have to be covered with one of the {len(proof.cells):,}" + (", or stay open" if cover.fillers else "")
    )


def is_hall(remainder: Remainder, proof: Weights) -> bool:
    """Whether the weights say no more than that some cells have too few neighbours."""
    tiles = [t for t in range(len(proof.values)) if t not in remainder.cover.fillers]
    pairs = not proof.marks and all(remainder.sizes[t] == 2 and proof.values[t] == 0 for t in tiles)
    return pairs and set(proof.weights) <= {-1, 0, 1} and set(proof.values) <= {0, 1}


def _then(proof: Proof) -> str:
    """What is said about the rest of a board."""
    match proof:
        case Area():
            return "no numbers of tiles fill the rest"
        case Colourings(colourings):
            many = f"{len(colourings)} colourings" if len(colourings) > 1 else f"a colouring modulo {colourings[0].modulus}"
            return f"{many} of the rest shows that it cannot be tiled".replace(
                "colourings of the rest shows", "colourings of the rest show"
            )
        case Weights():
            return "the rest weighs more than tiles can"
        case TutteSet(cells):
            return f"without {counted(len(cells), 'cell')} the rest falls into too many odd parts"
        case Propagation():
            return "what is forced contradicts itself"
        case Removal(log, then):
            return f"{_placements(len(log))} more are ruled out, and {_then(then)}"
        case Cases():
            return _cases(proof)


def _placements(number: int) -> str:
    return counted(number, "placement")


def _cases(proof: Cases) -> str:
    splits, ends, removed = _count(proof)
    ruled_out = f", with {_placements(removed)} ruled out on the way" if removed else ""
    return f"a case split: {ends:,} cases in {counted(splits, 'split')}, each impossible{ruled_out}"


def _count(proof: Proof) -> tuple[int, int, int]:
    """Splits, cases that are not split any further, and placements ruled out."""
    match proof:
        case Removal(log, then):
            splits, ends, removed = _count(then)
            return splits, ends, removed + len(log)
        case Cases(_, _, branches):
            parts = [_count(then) for _, then in branches]
            return 1 + sum(p[0] for p in parts), sum(p[1] for p in parts), sum(p[2] for p in parts)
    return 0, 1, 0


def _area(remainder: Remainder) -> str:
    refusal = remainder.cover.refusal()
    if refusal and not refusal.startswith("cell:"):
        return refusal
    return "area: no numbers of tiles, each at most as often as it has placements, fill the board"


def _colouring(remainder: Remainder, colouring: Colouring) -> str:
    alone = [cell for cell, weight in enumerate(colouring.weights) if weight]
    if len(alone) == 1 and not any(colouring.values):
        return f"no placement covers the cell {remainder.cover.item_in_words(alone[0])}"
    modulus, counts = colouring.modulus, remainder.counts
    is_black = set(colouring.weights) <= {0, 1}
    name = recognise(colouring, remainder.cover)
    if name is None:
        name = "black and white as shown" if is_black else f"weights modulo {modulus}" if modulus else "weights"
    used = [t for t, most in enumerate(counts.upper) if most]
    every = _each(remainder, used, colouring, is_black)
    parts = [f"{name}: {every}", *_together(remainder, colouring, used)]
    board = sum(colouring.weights)
    parts.append(f"the board has {board:,}" if is_black else f"the board weighs {board % modulus if modulus else board:,}")
    return "; ".join(parts)


def _marks(remainder: Remainder, colouring: Colouring) -> str:
    """A colouring in which marks weigh."""
    modulus = colouring.modulus
    board = f"the board {_total(sum(colouring.weights), modulus)}"
    counts = list(remainder.counts.some(2))
    if len(counts) == 1:
        tiles = _total(sum(n * value for n, value in zip(counts[0], colouring.values, strict=True)), modulus)
        return f"{_weighing(colouring)}; all tiles together weigh {tiles}, {board}"
    return f"{_weighing(colouring)}; {board}, and no numbers of tiles that fill it weigh as much"


def _heavy_marks(remainder: Remainder, proof: Weights) -> str:
    """Weights of cells and marks."""
    most = remainder.counts.best(proof.values)
    tiles = "no numbers of tiles fill the board" if most is None else f"all tiles together weigh at most {most:,}"
    return f"{_weighing(proof)}; {tiles}, the board {sum(proof.weights):,}"


def _weighing(proof: Colouring | Weights) -> str:
    """Which marks weigh, and how much, if each of them weighs the same everywhere."""
    weights: dict[str, set[int]] = {}
    for (_, _, mark), weight in proof.marks:
        weights.setdefault(mark, set()).add(weight)
    words = [mark if len(weights[mark]) > 1 else f"{mark} ({weights[mark].copy().pop():,})" for mark in sorted(weights)]
    shown = words if len(words) <= _FEW else [*words[: _FEW - 1], f"{len(words) - _FEW + 1} others"]
    names = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
    also = " and of some cells" if any(proof.weights) else ""
    return f"weights of the mark{'s' if len(words) > 1 else ''} {names}{also}: where two tiles touch, their marks cancel"


def _each(remainder: Remainder, used: Sequence[int], colouring: Colouring, is_black: bool) -> str:
    """What a placement of every tile covers."""
    said: dict[str, list[str]] = {}
    for t in used:
        value = colouring.values[t]
        said.setdefault(_number(value, colouring.modulus), []).append(remainder.cover.tiles[t].name)
    parts: list[str] = []
    for amount, named in said.items():
        names = [*filter(None, named), *(["cell left open"] if "" in named else [])]
        shown = names if len(names) <= _FEW else [*names[: _FEW - 1], f"{len(names) - _FEW + 1} others"]
        listed = " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))
        who = "every tile" if len(said) == 1 and len(names) > 2 else f"every {listed}"
        unit = (" black cell" if amount == "exactly 1" else " black cells") if is_black else ""
        verb = "covers" if is_black else "weighs"
        parts.append(f"{who} {verb} {amount}{unit}" if not parts else f"{who} {amount.removesuffix(' of')}")
    return ", ".join(parts)


def _number(value: int, modulus: int) -> str:
    if modulus == 0:
        return f"exactly {value:,}"
    value %= modulus
    if modulus == 2:
        return "an odd number of" if value else "an even number of"
    return f"a multiple of {modulus}" if value == 0 else f"{value} more than a multiple of {modulus}"


def _together(remainder: Remainder, colouring: Colouring, used: Sequence[int]) -> list[str]:
    """What all tiles together cover, where that is not plain from what each covers."""
    counts, modulus = remainder.counts, colouring.modulus
    if not any(colouring.values[t] for t in used):
        return []
    verb = "cover" if set(colouring.weights) <= {0, 1} else "weigh"
    some = list(islice(counts.some(_FEW + 1), _FEW + 1))
    if len(some) == 1:
        total = sum(n * value for n, value in zip(some[0], colouring.values, strict=True))
        copies = sum(some[0])
        who = counted(copies, "tile") if len(used) == 1 else "together they"
        return [f"{who} {verb} {_total(total, modulus)}"]
    ratios = {Fraction(colouring.values[t], counts.sizes[t]) for t in used}
    if not modulus and len(ratios) == 1:
        return [f"together they {verb} {int(ratios.pop() * counts.area):,}"]
    if modulus:
        totals = [r for r in range(modulus) if _reaches(counts, colouring, r)]
        listed = [_total(total, modulus) for total in totals]
    else:
        if len(some) > _FEW:
            return [f"together they never {verb} as many as the board has"]
        sums = {sum(n * value for n, value in zip(each, colouring.values, strict=True)) for each in some}
        listed = [f"{total:,}" for total in sorted(sums)]
    return [f"together they {verb} {' or '.join(listed)}"]


def _total(total: int, modulus: int) -> str:
    if modulus == 2:
        return "an odd number" if total % 2 else "an even number"
    return _number(total, modulus).removeprefix("exactly ")


def _reaches(counts: CountVectors, colouring: Colouring, residue: int) -> bool:
    return counts.find([Congruence(colouring.modulus, colouring.values, residue)]) is not None


def _weights(remainder: Remainder, proof: Weights) -> str:
    used = [t for t, most in enumerate(remainder.counts.upper) if most]
    groups: dict[int, list[str]] = {}
    for t in used:
        groups.setdefault(proof.values[t], []).append(remainder.cover.tiles[t].name or "cell left open")
    every = ", ".join(f"every {' and '.join(names[:_FEW])} at most {value:,}" for value, names in groups.items())
    if len(groups) == 1 and len(used) > 2:
        every = f"every tile at most {proof.values[used[0]]:,}"
    most = remainder.counts.best(proof.values)
    return f"weights: {every}; together at most {most:,}; the board weighs {sum(proof.weights):,}"
