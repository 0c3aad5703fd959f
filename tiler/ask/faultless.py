"""How many tilings of a rectangle have no fault line, without listing them.

T(h, w) is the number of tilings of h rows and w columns, by unlimited copies of the tiles. Take a set of
vertical lines, which cut the width into w1, w2, ...: the tilings of height h in which all these are fault lines are
A(h) = T(h, w1) T(h, w2) ... Those of them without a horizontal fault line are B(h) = A(h) - the sum over j < h of B(j) A(h - j),
where j is the place of the first one. By inclusion and exclusion the tilings without any fault line are the sum of B(h) over all
sets of vertical lines, those of an odd number of lines subtracted. A(h) does not depend on the order of the widths, so that there
is one term for each partition of the width.

Source of the words: R. L. Graham, "Fault-free tilings of rectangles", in The Mathematical Gardner (1981).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import product
from math import factorial, prod

from tiler.amounts import counted
from tiler.ask import carry
from tiler.backends.base import Backend
from tiler.cover.board import BoardCover
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.lattice import box, fills_box
from tiler.process.look import Look
from tiler.question.events import Progress, Run, Running
from tiler.question.question import Goal, Question
from tiler.question.result import Result, Stop

FEATURE = "fault-free"

_Tilings = dict[tuple[int, int], int]  #: T, by height and width


def suits(instance: Instance, question: Question) -> bool:
    """Whether a question is about all tilings without fault lines of a rectangle, by tiles without bounds."""
    if question.goal is not Goal.COUNT or question.up_to_symmetry or question.features != (FEATURE,):
        return False
    plain = (
        not (instance.wrap or instance.constraints or instance.optional or instance.is_painted or instance.ground)
        and instance.dimension == 2
    )
    unlimited = all(tile.at_most is None and not tile.at_least for tile in instance.tiles)
    return plain and unlimited and fills_box(instance.board)


def search(instance: Instance, backend: Backend, question: Question, run: Run, *, started: float) -> Running:
    """The events of a count of all rectangles that the lines cut out, and of the sum over sets of lines."""
    low, high = box(instance.board)
    width, height = sorted(b - a + 1 for a, b in zip(low, high, strict=True))
    tilings: _Tilings = {}
    nodes, most = 0, question.limits.nodes
    for h, w in product(range(1, height + 1), range(1, width + 1)):
        if (w, h) in tilings:  # Tiles may be turned.
            tilings[h, w] = tilings[w, h]
            continue
        board = frozenset(product(range(h), range(w)))
        cover = BoardCover.of(replace(instance, board=board), run.look)
        limits = replace(question.limits, nodes=None if most is None else max(1, most - nodes))
        running = carry.start(backend, cover, replace(question, features=(), limits=limits), run, started=started)
        result = yield from _counted(running, nodes, f"rectangle {h}x{w}")
        nodes += result.nodes
        if result.count is None:
            yield Result.so_far(result.stop, found=0, nodes=nodes, message=result.message)
            return
        tilings[h, w] = result.count
    count = without_faults(tilings, height, width, run.look)
    told = f"by inclusion and exclusion over {counted(2 ** (width - 1), 'set')} of lines"
    status = Status.SAT if count else Status.UNSAT
    yield Result(status, Stop.DONE, count, count, nodes=nodes, stats={"rectangles": len(tilings)}, message=told)


def _counted(running: Running, nodes: int, where: str) -> Generator[Progress, None, Result]:
    """The progress of a count of a rectangle, with the nodes before it, and its result."""
    with closing(running):
        for event in running:
            match event:
                case Progress():
                    # Neither what is found of it nor how much of it is done says anything about the whole.
                    yield Progress(nodes + event.nodes, where=where)
                case Result():
                    return event
    return Result.so_far(Stop.ERROR, found=0)


def without_faults(tilings: _Tilings, height: int, width: int, look: Look) -> int:
    """The number of tilings without fault lines, by the numbers of all tilings of the rectangles.

    Of dominoes on 2x1 there is one, on 2x2 none:

    >>> without_faults({(1, 1): 0, (2, 1): 1, (1, 2): 1, (2, 2): 2}, 2, 2, lambda: None)
    0
    >>> without_faults({(1, 1): 0, (2, 1): 1}, 2, 1, lambda: None)
    1
    """
    total = 0
    for parts in _partitions(width, width):
        look()
        above = [1, *(prod(tilings[h, part] for part in parts) for h in range(1, height + 1))]
        free = [0]
        for h in range(1, height + 1):
            free.append(above[h] - sum(free[j] * above[h - j] for j in range(1, h)))
        orders = factorial(len(parts)) // prod(map(factorial, Counter(parts).values()))
        total += (-1) ** (len(parts) - 1) * orders * free[height]
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
