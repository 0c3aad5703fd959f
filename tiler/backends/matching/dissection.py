"""Order the cells of a planar graph for elimination, by nested dissection, and find the entries that fill in.

A line through the middle divides the vertices. The vertices beside the line on one side come last, and the two parts before them,
each divided in the same way (George, Nested dissection of a regular finite element mesh, 1973).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tiler.process.cancellation import StopCheck, with_stop_checks

_SMALL = 6  # vertices that are not parted any further


def elimination_order(points: NDArray[np.float64], around: list[list[int]], last: set[int], check_stop: StopCheck) -> list[int]:
    """The vertices in the order of elimination, the vertices in `last` at the end. `points`, shape (vertices, 2), says where they
    are drawn; `around` lists the neighbours of each."""
    side = np.zeros(len(points), np.int64)
    ordered: list[int] = []
    # The parts that are still to be ordered, the latest first: the order is written from its end to its beginning.
    todo = [np.array([vertex for vertex in range(len(points)) if vertex not in last], np.int64)]
    name = 0
    while todo:
        check_stop()
        part = todo.pop()
        spread = np.ptp(points[part], axis=0) if len(part) > _SMALL else np.zeros(2)
        if not spread.any():
            ordered += part.tolist()
            continue
        along = points[part, int(spread.argmax())]
        low = along < np.median(along)
        if not low.any():
            low = along <= np.median(along)
        if low.all():
            ordered += part.tolist()
            continue
        name += 2
        side[part] = name + low
        here, there = part[low], part[~low]
        beside = np.array([any(side[other] == name for other in around[vertex]) for vertex in here.tolist()], np.bool_)
        ordered += here[beside].tolist()
        todo += [here[~beside], there]
    return ordered[::-1] + sorted(last)


def fill_in(ordered: list[int], around: list[list[int]], check_stop: StopCheck) -> list[list[int]]:
    """For each row, in the order of elimination: the later columns, ascending, that are in its pattern when all rows before it
    are eliminated."""
    place = {vertex: number for number, vertex in enumerate(ordered)}
    rows: list[set[int]] = [set() for _ in ordered]
    for number, vertex in enumerate(with_stop_checks(ordered, check_stop)):
        rows[number] |= {place[other] for other in around[vertex] if place[other] > number}
    listed = []
    for row in with_stop_checks(rows, check_stop):
        later = sorted(row)
        listed.append(later)
        if later:
            rows[later[0]].update(later[1:])
    return listed
