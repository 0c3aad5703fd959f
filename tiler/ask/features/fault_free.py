"""Count the tilings of a rectangle, or of a box in space, without a fault line (in space, a fault plane), without listing them.

T(h, w) is the number of tilings of h rows and w columns, by unlimited copies of the tiles. Take a set of vertical lines, which
cut the width into w1, w2, ...: the tilings of height h in which all these are fault lines are A(h) = T(h, w1) T(h, w2) ... B(h)
of these have no horizontal fault line: B(h) = A(h) - the sum over j < h of B(j) A(h - j), where j is the place of the first
horizontal fault line. By inclusion and exclusion the number of tilings without any fault line is the sum of B(h) over all sets of
vertical lines, where sets of an odd number of lines are subtracted. A(h) does not depend on the order of the widths, so that
there is one term for each partition of the width. In space planes of two directions cut each layer into rectangles: one term for
each pair of partitions.

Source of the words: R. L. Graham, "Fault-free tilings of rectangles", in The Mathematical Gardner (1981).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from itertools import product
from math import factorial, prod

from tiler.amounts import counted
from tiler.ask import execution
from tiler.backends.base import Backend
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import box, fills_box
from tiler.process.cancellation import StopCheck
from tiler.question.events import Events, Progress, RunningSearch, SearchContext
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

FEATURE = "fault-free"

_Sides = tuple[int, ...]  #: of a box, in the order of axes
_Numbers = Callable[[_Sides], int]  #: T


def suits(instance: Instance, question: Question) -> bool:
    """Whether a question is about all tilings without fault lines of a rectangle or box, by tiles without bounds."""
    if question.goal is not Goal.COUNT or question.up_to_symmetry or question.features != (FEATURE,):
        return False
    unlimited = all(tile.at_most is None and not tile.at_least for tile in instance.tiles)
    return instance.is_plain and unlimited and fills_box(instance.board)


def search(instance: Instance, backend: Backend, question: Question, context: SearchContext) -> RunningSearch:
    """The events of a count of all boxes that the lines cut out, and of the sum over sets of lines."""
    low, high = box(instance.board)
    whole = tuple(b - a + 1 for a, b in zip(low, high, strict=True))
    tilings: dict[_Sides, int] = {}

    def alike(sides: _Sides) -> _Sides:
        """One box for all boxes with the same number of tilings: if tiles may be turned, boxes may be turned, too."""
        return tuple(sorted(sides)) if instance.turning else sides

    nodes = 0
    for sides in product(*(range(1, side + 1) for side in whole)):
        if alike(sides) in tilings:
            continue
        board = frozenset(product(*map(range, sides)))
        cover = BoardCover.of(replace(instance, board=board), context.check_stop)
        counting = replace(question, features=(), limits=question.limits.after(nodes))
        running = execution.start(backend, cover, counting, context)
        result = yield from _counted(running, nodes, f"{'rectangle' if len(sides) == 2 else 'box'} {'x'.join(map(str, sides))}")
        nodes += result.nodes
        if result.count is None:
            return Result.so_far(result.stop, found=0, nodes=nodes, message=result.message)
        tilings[alike(sides)] = result.count
    count = without_faults(lambda sides: tilings[alike(sides)], whole, context.check_stop)
    sets = counted(2 ** (sum(sorted(whole)[:-1]) - len(whole) + 1), "set")
    message = f"by inclusion and exclusion over {sets} of {'lines' if len(whole) == 2 else 'planes'}"
    status = Status.SAT if count else Status.UNSAT
    return Result(status, Stop.DONE, count, count, nodes=nodes, stats={"rectangles": len(tilings)}, message=message)


def _counted(running: RunningSearch, nodes: int, where: str) -> Generator[Progress, None, Result]:
    """The progress of a count of a rectangle, with the nodes before it, and its result."""
    with Events(running) as events:
        for event in events:
            if isinstance(event, Progress):
                # Its numbers and its progress say nothing about the whole count.
                yield Progress(nodes + event.nodes, where=where)
    return events.result


def without_faults(number: _Numbers, whole: _Sides, check_stop: StopCheck) -> int:
    """The number of tilings of a box without fault lines, by the numbers of all tilings of the boxes in it.

    Of dominoes on 2x1 there is one, on 2x2 none:

    >>> number = {(1, 1): 0, (2, 1): 1, (1, 2): 1, (2, 2): 2}.__getitem__
    >>> without_faults(number, (2, 1), lambda: None), without_faults(number, (2, 2), lambda: None)
    (1, 0)
    """
    along = whole.index(max(whole))
    across = [side for axis, side in enumerate(whole) if axis != along]
    total = 0
    for cuts in product(*(list(_partitions(side, side)) for side in across)):
        check_stop()
        # By the length along the longest side: with these faults, and of those the ones without a fault across it.
        above, free = [1], [0]
        for length in range(1, whole[along] + 1):
            above.append(prod(number((*part[:along], length, *part[along:])) for part in product(*cuts)))
            free.append(above[length] - sum(free[j] * above[length - j] for j in range(1, length)))
        orders = prod(factorial(len(parts)) // prod(map(factorial, Counter(parts).values())) for parts in cuts)
        total += (-1) ** sum(len(parts) - 1 for parts in cuts) * orders * free[-1]
    return total


def _partitions(number: int, largest: int) -> Iterator[tuple[int, ...]]:
    """The ways to write a number as a sum, the largest part first.

    >>> list(_partitions(4, 4))
    [(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)]
    """
    if not number:
        yield ()
    for first in range(min(number, largest), 0, -1):
        yield from ((first, *rest) for rest in _partitions(number - first, first))
