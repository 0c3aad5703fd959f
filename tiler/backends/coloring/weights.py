"""The weights stage finds weights of cells under which every placement is light and the board is heavy.

Let every placement of tile i weigh at most w_i. A tiling that uses n_i copies of tile i weighs at most sum n_i w_i, and as much
as the board. So there is no tiling if the board weighs more than the greatest such sum over all count vectors. By Farkas' lemma
there are such weights whenever the linear relaxation has no solution.

A linear program finds them: maximise the weight of the board minus the bounds, with every cell between -1 and 1. Its optimum is
positive if there are such weights. Its answer is a float and proves nothing. So it is scaled by small denominators and rounded to
integers, w_i becomes the greatest weight of any placement, and the inequality is checked exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tiler.backends.coloring.mark_weights import MarkClasses
from tiler.cover.remainder import Remainder
from tiler.question.certificate import Weights

_DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 12, 60, 840, 27_720)
_TINY = 1e-7


def find(remainder: Remainder, seconds: float, tick: Callable[[], None], marks: MarkClasses | None = None) -> Weights | None:
    """Weights that refute all count vectors, of cells and, where they are given, of classes of marks; or None."""
    solution = _solve(remainder, seconds, tick, marks)
    if solution is None:
        return None
    for denominator in _DENOMINATORS:
        tick()
        weights = [0] * len(remainder.cover.cells)
        for cell, value in zip(remainder.cells, solution, strict=False):
            weights[cell] = round(denominator * value)
        of_marks = [round(denominator * value) for value in solution[len(remainder.cells) :]]
        found = check(remainder, weights, marks, of_marks)
        if found:
            return found
    return None


def check(
    remainder: Remainder, weights: list[int], marks: MarkClasses | None = None, of_marks: Sequence[int] = ()
) -> Weights | None:
    """These weights of the board's cells and of marks with the least values of the tiles, if they refute all count vectors."""
    heaviest: list[int | None] = [None] * len(remainder.lower)
    for option in remainder.options:
        weight = sum([weights[cell] for cell in remainder.cells_of[option]])
        if marks:
            weight += sum(factor * of_marks[number] for number, factor in marks.of[option].items())
        before = heaviest[remainder.tile_of[option]]
        if before is None or weight > before:
            heaviest[remainder.tile_of[option]] = weight
    values = tuple(value or 0 for value in heaviest)
    most = remainder.counts.best(values)
    total = sum(weights[cell] for cell in remainder.cells)
    mark_values = marks.weights(of_marks.__getitem__) if marks else ()
    return Weights(tuple(weights), values, mark_values) if most is None or total > most else None


def _solve(remainder: Remainder, seconds: float, tick: Callable[[], None], marks: MarkClasses | None) -> list[float] | None:
    """Weights by linear programming, of cells and then of classes of marks; None if the relaxation seems to have a solution, or
    in want of time."""
    import highspy
    import numpy as np

    cells = {cell: column for column, cell in enumerate(remainder.cells)}
    counts = remainder.counts
    # Columns: the cells, the classes of marks, then per tile what its upper and its lower bound cost.
    weighed = len(cells) + (len(marks.near) if marks else 0)
    upper = [t for t, (most, size) in enumerate(zip(counts.upper, counts.sizes, strict=True)) if most < counts.area // size]
    lower = [t for t, least in enumerate(counts.lower) if least]
    column = {("u", t): weighed + i for i, t in enumerate(upper)} | {
        ("l", t): weighed + len(upper) + i for i, t in enumerate(lower)
    }
    costs = (
        [1.0] * len(cells)
        + [0.0] * (weighed - len(cells))
        + [-float(counts.upper[t]) for t in upper]
        + [float(counts.lower[t]) for t in lower]
    )
    starts, index, value = [0], [], []
    for option in remainder.options:
        tile = remainder.tile_of[option]
        row = [(cells[cell], 1.0) for cell in remainder.cells_of[option]]
        row += [(len(cells) + number, float(factor)) for number, factor in marks.of[option].items()] if marks else []
        row += [(column[key, tile], sign) for key, sign in (("u", -1.0), ("l", 1.0)) if (key, tile) in column]
        index += [entry[0] for entry in row]
        value += [entry[1] for entry in row]
        starts.append(len(index))
    infinity = highspy.kHighsInf
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(costs), len(remainder.options)
    model.col_cost_ = np.array(costs)
    model.col_lower_ = np.array([-1.0] * weighed + [0.0] * len(column))
    model.col_upper_ = np.array([1.0] * weighed + [infinity] * len(column))
    model.row_lower_ = np.full(len(remainder.options), -infinity)
    model.row_upper_ = np.zeros(len(remainder.options))
    model.sense_ = highspy.ObjSense.kMaximize
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.array(starts)
    model.a_matrix_.index_ = np.array(index)
    model.a_matrix_.value_ = np.array(value)
    solver = highspy.Highs()
    for key, setting in (("output_flag", False), ("threads", 1), ("time_limit", float(seconds)), ("random_seed", 0)):
        solver.setOptionValue(key, setting)
    stopped: list[BaseException] = []

    def check_stop(event: Any) -> None:
        try:
            tick()
        except BaseException as error:  # Raised again below: nothing may pass through the solver.
            stopped.append(error)
            event.interrupt()

    solver.cbSimplexInterrupt.subscribe(check_stop)
    solver.passModel(model)
    solver.run()
    if stopped:
        raise stopped[0]
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal or solver.getInfo().objective_function_value < _TINY:
        return None
    return list(solver.getSolution().col_value)[:weighed]
