"""Write the encodings of "at most k of these literals" a second time, from their definitions.

Nothing here is shared with the encoders or with PySAT. So a checker can write the clauses that a group must have, and compare.

Proofs rest on one property of every encoding: for any choice of at most k true literals, the own variables of the encoding can
have values that make all its clauses true. The docstring of each encoding gives these values: an own variable is true just if the
sentence about it is. Own variables are numbered in the order in which the encoders make them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, count, pairwise
from math import isqrt

Clauses = list[list[int]]

_ROOM = 1 << 62


class TooManyClausesError(Exception):
    """An encoding has more clauses than there are in the file."""


class Fresh(Iterator[int]):
    """Gives own variables their numbers, and limits the number of clauses: some encodings have as many clauses as the square of
    the literals, more than fit into memory."""

    def __init__(self, new: int, room: int) -> None:
        self._numbers, self._room = count(new), room

    def __next__(self) -> int:
        return next(self._numbers)

    def spend(self, clauses: int) -> None:
        """Note that `number` clauses will be made. TooManyClausesError if that is more than the limit."""
        self._room -= clauses
        if self._room < 0:
            raise TooManyClausesError


def at_most(name: object, literals: Sequence[int], bound: int, new: int, room: int = _ROOM) -> tuple[Clauses, int] | None:
    """The clauses of an encoding, and the number of its own variables, which are numbered from `new` on. None if there is no such
    encoding. TooManyClausesError if there are far more clauses than `room`.

    >>> at_most("pairwise", [1, 2, 3], 1, 4)
    ([[-1, -2], [-1, -3], [-2, -3]], 0)
    >>> at_most("commander", [1, 2, 3, 4, 5], 1, 6)[1]
    2
    """
    simple = _simple(literals, bound)
    if simple is not None:
        return (simple, 0) if name is None else None
    if not isinstance(name, str) or (name not in OF_ANY and (name not in OF_ONE or bound > 1)):
        return None
    if bound == len(literals) - 1:
        return [[-literal for literal in literals]], 0  # In every encoding this is one clause: one of the literals is false.
    fresh = Fresh(new, room)
    made = OF_ONE[name](literals, fresh) if name in OF_ONE else OF_ANY[name](literals, bound, fresh)
    return made, next(fresh) - new


def at_least(name: object, literals: Sequence[int], bound: int, new: int, room: int = _ROOM) -> tuple[Clauses, int] | None:
    """The clauses for at least `bound` true literals: one clause if `bound` is 1, else at most the rest are false."""
    if bound == 1:
        return ([list(literals)], 0) if name is None else None
    return at_most(name, [-literal for literal in literals], len(literals) - bound, new, room)


def _simple(literals: Sequence[int], bound: int) -> Clauses | None:
    """The clauses of cases that need no counting; None for all others."""
    if bound >= len(literals):
        return []
    if bound < 0:
        return [[]]
    return [[-literal] for literal in literals] if bound == 0 else None


def _few(fresh: Fresh, number: int) -> list[int]:
    return [next(fresh) for _ in range(number)]


# At most one


def _pairs(literals: Sequence[int], fresh: Fresh) -> Clauses:
    fresh.spend(len(literals) * (len(literals) - 1) // 2)
    return [[-a, -b] for a, b in combinations(literals, 2)]


def _commander(literals: Sequence[int], fresh: Fresh) -> Clauses:
    """An own variable is the commander of three literals: one of them is true."""
    if len(literals) <= 4:
        return _pairs(literals, fresh)
    clauses, commanders = [], []
    for start in range(0, len(literals), 3):
        led, leader = literals[start : start + 3], next(fresh)
        commanders.append(leader)
        clauses += [*_pairs(led, fresh), *([-each, leader] for each in led), [-leader, *led]]
    return clauses + _commander(commanders, fresh)


def _bimander(literals: Sequence[int], fresh: Fresh) -> Clauses:
    """Literals form pairs. An own variable is a binary digit of the number of the pair with the true literal."""
    if len(literals) <= 4:
        return _pairs(literals, fresh)
    pairs = [literals[start : start + 2] for start in range(0, len(literals), 2)]
    digits = _few(fresh, (len(pairs) - 1).bit_length())
    clauses = [clause for pair in pairs for clause in _pairs(pair, fresh)]
    for number, pair in enumerate(pairs):
        for place, digit in enumerate(digits):
            clauses += [[-each, digit if number >> place & 1 else -digit] for each in pair]
    return clauses


def _product(literals: Sequence[int], fresh: Fresh) -> Clauses:
    """Literals are points of a square. An own variable says that a literal in this row, or in this column, is true."""
    if len(literals) <= 4:
        return _pairs(literals, fresh)
    wide = isqrt(len(literals) - 1) + 1
    rows = _few(fresh, -(-len(literals) // wide))
    columns = _few(fresh, wide)
    clauses = [[-each, rows[i // wide]] for i, each in enumerate(literals)]
    clauses += [[-each, columns[i % wide]] for i, each in enumerate(literals)]
    return clauses + _product(rows, fresh) + _product(columns, fresh)


def _bitwise(literals: Sequence[int], fresh: Fresh) -> Clauses:
    """An own variable is a binary digit of the number of the true literal, the highest first. As in PySAT."""
    digits = _few(fresh, (len(literals) - 1).bit_length())[::-1]
    return [
        [-each, digit if number >> place & 1 else -digit]
        for number, each in enumerate(literals)
        for place, digit in enumerate(digits)
    ]


def _ladder(literals: Sequence[int], fresh: Fresh) -> Clauses:
    """An own variable is a rung of a ladder: the true literal comes later, or no literal is true. As in PySAT."""
    chosen = [*literals, next(fresh)]  # The last literal is true if no other one is.
    rungs = _few(fresh, len(literals))
    clauses = [[-upper, lower] for lower, upper in pairwise(rungs)]
    for i, each in enumerate(chosen):
        before = [rungs[i - 1]] if i else []
        after = [rungs[i]] if i < len(rungs) else []
        clauses.append([*(-rung for rung in before), *after, each])
        clauses += [[-each, rung] for rung in before] + [[-each, -rung] for rung in after]
    return clauses


# At most any number


def _seqcounter(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """An own variable is the counter (k, j): more than k of the first j + k + 1 literals are true. As in PySAT, in Knuth's
    form."""
    counters: dict[tuple[int, int], int] = {}

    def counter(k: int, j: int) -> int:
        if (k, j) not in counters:
            counters[k, j] = next(fresh)
        return counters[k, j]

    clauses, last = [], len(literals) - bound - 1
    fresh.spend((last + 1) * bound)
    for j in range(last + 1):
        clauses.append([-literals[j], counter(0, j)])
        for k in range(bound):
            here = counter(k, j)
            if j < last:
                clauses.append([-here, counter(k, j + 1)])
            clauses.append([-literals[j + k + 1], -here, *([counter(k + 1, j)] if k < bound - 1 else [])])
    return clauses


def _bdd(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """An own variable is the node (i, j): at least j of the first i literals are true, in the order of their variables. There are
    only nodes from which the bound can still be exceeded. As in Pindakaas."""
    literals = sorted(literals, key=abs)
    number = len(literals)
    fresh.spend((number - bound) * (bound - 1))  # Most nodes have a clause.
    nodes = {
        (i, j): next(fresh) for i in range(number - 1, 0, -1) for j in range(max(1, bound + 1 - (number - i)), min(i, bound) + 1)
    }
    clauses = [[-node, nodes[i, j - 1]] for (i, j), node in nodes.items() if (i, j - 1) in nodes]
    for i, literal in enumerate(literals, 1):
        for j in range(1, bound + 2):
            end = [nodes[i, j]] if (i, j) in nodes else []
            if not end and j <= bound:
                continue
            if (i - 1, j) in nodes:
                clauses.append([-nodes[i - 1, j], *end])
            if j == 1 or (i - 1, j - 1) in nodes:
                clauses.append([-literal, *([-nodes[i - 1, j - 1]] if j > 1 else []), *end])
    return clauses


def _totalizer(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """At most `bound` literals are true, by a totalizer: a tree whose outputs are in unary. The j-th output of a node is true
    if at least j literals below it are. Encoded as PySAT does it."""
    outputs, clauses = _unary(literals, fresh)
    return [*clauses, [-outputs[bound]]]


def _unary(literals: Sequence[int], fresh: Fresh) -> tuple[list[int], Clauses]:
    """As many outputs as literals, and the clauses that make them true."""
    if len(literals) < 2:
        return list(literals), []
    outputs = _few(fresh, len(literals))
    clauses: Clauses = []
    todo = [(list(literals), outputs)]
    while todo:
        below, above = todo.pop()
        sides = []
        for part in _halves(below):
            sides.append(part if len(part) < 2 else _few(fresh, len(part)))
            if len(part) > 1:
                todo.append((part, sides[-1]))
        fresh.spend(len(sides[0]) * len(sides[1]))
        clauses += [
            [*one, *other, above[i + j - 1]]
            for i, one in enumerate(_denied(sides[0]))
            for j, other in enumerate(_denied(sides[1]))
            if i + j
        ]
    return outputs, clauses


def _halves(literals: list[int]) -> tuple[list[int], list[int]]:
    half = len(literals) - len(literals) // 2
    return literals[:half], literals[half:]


def _denied(outputs: Sequence[int]) -> list[list[int]]:
    """For each number, the literals which say that a unary number is smaller. It is never less than 0."""
    return [[], *([-output] for output in outputs)]


def _mtotalizer(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """Modulo totalizer: see `_modulo`; the modulus is the root of the number of literals. PySAT."""
    return _modulo(literals, bound, max(2, isqrt(len(literals))), len(literals), fresh)


def _kmtotalizer(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """The modulo totalizer whose modulus is the root of the bound, and whose quotients are at most the bound's. As in PySAT."""
    modulus = max(2, isqrt(bound))
    return _modulo(literals, bound, modulus, bound // modulus, fresh)


def _modulo(literals: Sequence[int], bound: int, modulus: int, most: int, fresh: Fresh) -> Clauses:
    """How many of the literals below are true, as quotient and remainder by a modulus, both in unary: an output of either is true
    if the number is at least so large. The carry of a sum is true if the remainders come to the modulus. No quotient has more
    outputs than `most`."""
    clauses: Clauses = []

    def outputs(part: list[int]) -> tuple[list[int], list[int]]:
        """The outputs of a part, quotient and remainder. A part is divided later, unless it is so small that it has no
        quotient."""
        if len(part) < modulus:
            remainder, made = _unary(part, fresh)
            clauses.extend(made)
            return [], remainder
        both = _few(fresh, min(most, len(part) // modulus)), _few(fresh, modulus - 1)
        todo.append((part, *both))
        return both

    todo: list[tuple[list[int], list[int], list[int]]] = []
    upper, lower = outputs(list(literals))
    while todo:
        below, quotient, remainder = todo.pop()
        (up, low), (up_too, low_too) = [outputs(part) for part in _halves(below)]
        carry = next(fresh)
        fresh.spend(len(low) * len(low_too) + len(up) * len(up_too))
        for i, one in enumerate(_denied(low)):
            for j, other in enumerate(_denied(low_too)):
                if 0 < i + j < modulus:
                    clauses.append([*one, *other, remainder[i + j - 1], carry])
                elif i + j == modulus:
                    clauses.append([*one, *other, carry])
                elif i + j > modulus:
                    clauses.append([*one, *other, remainder[i + j - modulus - 1]])
        for i, one in enumerate(_denied(up)):
            for j, other in enumerate(_denied(up_too)):
                if i + j:
                    clauses.append([*one, *other, *quotient[i + j - 1 : i + j]])
                clauses.append([-carry, *one, *other, *quotient[i + j : i + j + 1]])
    # A number is above the bound if its quotient is larger, or if the quotient is equal and the remainder larger.
    ratio, rest = divmod(bound, modulus)
    clauses += [[-output] for output in upper[ratio:]]
    return clauses + [[*(-output for output in upper[:ratio][-1:]), -output] for output in lower[rest:]]


def _sortnetwrk(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """Batcher's sorting network: the outputs of a comparator are true if at least one, and if both, of its inputs are. As in
    PySAT."""
    clauses, wires = _filled_up(literals, 1 << (len(literals) - 1).bit_length(), fresh)
    outputs = _sorted(wires, clauses, fresh)
    return [*clauses, [-outputs[bound]]]


def _cardnetwrk(literals: Sequence[int], bound: int, fresh: Fresh) -> Clauses:
    """A sorting network only for the largest values; their number is the least power of two above the bound. As in PySAT."""
    wide = 1 << bound.bit_length()
    clauses, wires = _filled_up(literals, -(-len(literals) // wide) * wide, fresh)
    outputs = _largest(wires, wide, clauses, fresh)
    return [*clauses, [-outputs[bound]]]


def _filled_up(literals: Sequence[int], length: int, fresh: Fresh) -> tuple[Clauses, list[int]]:
    """The wanted number of wires; all wires beyond the literals are the same variable, which is false."""
    if length == len(literals):
        return [], list(literals)
    false = next(fresh)
    return [[-false]], [*literals, *([false] * (length - len(literals)))]


def _compare(fresh: Fresh, one: int, two: int, larger: int, smaller: int) -> Clauses:
    fresh.spend(3)
    return [[-one, larger], [-two, larger], [-one, -two, smaller]]


def _sorted(wires: list[int], clauses: Clauses, fresh: Fresh) -> list[int]:
    if len(wires) == 1:
        return wires
    half = len(wires) // 2
    return _merged(_sorted(wires[:half], clauses, fresh), _sorted(wires[half:], clauses, fresh), clauses, fresh)


def _merged(one: list[int], two: list[int], clauses: Clauses, fresh: Fresh) -> list[int]:
    """Merge two sorted rows of equal length."""
    if len(one) == 1:
        outputs = _few(fresh, 2)
        clauses += _compare(fresh, one[0], two[0], *outputs)
        return outputs
    odd = _merged(one[::2], two[::2], clauses, fresh)
    even = _merged(one[1::2], two[1::2], clauses, fresh)
    return _interleaved(odd, even, len(one) - 1, [even[-1]], clauses, fresh)


def _largest(wires: list[int], wide: int, clauses: Clauses, fresh: Fresh) -> list[int]:
    """The largest values of a row, in the wanted number."""
    rows = [_sorted(wires[start : start + wide], clauses, fresh) for start in range(0, len(wires), wide)]
    while len(rows) > 1:
        two = rows.pop()
        rows[-1] = _merged_in_part(rows[-1], two, clauses, fresh)[:wide]
    return rows[0]


def _merged_in_part(one: list[int], two: list[int], clauses: Clauses, fresh: Fresh) -> list[int]:
    """The largest values of two sorted rows of equal length: one value more than a row has."""
    if len(one) == 1:
        return _merged(one, two, clauses, fresh)
    odd = _merged_in_part(one[::2], two[::2], clauses, fresh)
    even = _merged_in_part(one[1::2], two[1::2], clauses, fresh)
    return _interleaved(odd, even, len(one) // 2, [], clauses, fresh)


def _interleaved(odd: list[int], even: list[int], pairs: int, last: list[int], clauses: Clauses, fresh: Fresh) -> list[int]:
    """The first of the odd outputs, and after it the compared pairs."""
    between = _few(fresh, 2 * pairs)
    for i in range(pairs):
        clauses += _compare(fresh, odd[i + 1], even[i], *between[2 * i : 2 * i + 2])
    return [odd[0], *between, *last]


OF_ONE: dict[str, Callable[[Sequence[int], Fresh], Clauses]] = {
    "pairwise": _pairs,
    "commander": _commander,
    "bimander": _bimander,
    "product": _product,
    "bitwise": _bitwise,
    "ladder": _ladder,
}
OF_ANY: dict[str, Callable[[Sequence[int], int, Fresh], Clauses]] = {
    "seqcounter": _seqcounter,
    "totalizer": _totalizer,
    "mtotalizer": _mtotalizer,
    "kmtotalizer": _kmtotalizer,
    "sortnetwrk": _sortnetwrk,
    "cardnetwrk": _cardnetwrk,
    "bdd": _bdd,
}
