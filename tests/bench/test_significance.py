"""Tests of two solvers on the same problems: p-values against scipy's and by hand, and what they say of a disturbed campaign."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import pytest
from records import record

from tiler.bench import significance
from tiler.bench.significance import holm, mean_ranks, pair_tests, sign_test, signed_rank_test
from tiler.bench.stats import Table, tables
from tiler.report import ranks
from tiler.report import tables as report_tables

#: Differences, no two equal, with their p-values by scipy 1.17.1: binomtest, and wilcoxon with zero_method="pratt" and
#: method="exact", which is exact for such ones alone.
WITHOUT_TIES = [
    ([1.5, -0.3, 2.2, 0.9, 4.1, -1.1, 3.3, 0.2], 0.2890625, 0.109375),
    ([-0.1, -0.2, -0.3, -0.4, 0.5, -0.6, -0.7, -0.8, -0.9, -1.0], 0.021484375, 0.01953125),
]


@pytest.mark.parametrize(("values", "sign", "rank"), WITHOUT_TIES)
def test_p_values_of_scipy(values: list[float], sign: float, rank: float) -> None:
    assert sign_test(values) == pytest.approx(sign)
    assert signed_rank_test(values) == pytest.approx(rank)
    assert signed_rank_test([-value for value in values]) == pytest.approx(rank)


@pytest.mark.parametrize("values", [[1.0, 1.0, -1.0, 2.0, 0.0, 2.0, 3.0], [0.0, 0.0, 1.0, -2.0, 2.0], [1.0, -1.0], [0.0], []])
def test_ties_are_counted_over_all_signs(values: list[float]) -> None:
    sizes = sorted(map(abs, values))
    rank = {size: sum(place for place, other in enumerate(sizes, 1) if other == size) / sizes.count(size) for size in sizes}

    def distance(signs: tuple[int, ...]) -> float:
        return abs(sum(sign * rank[abs(value)] for sign, value in zip(signs, filter(None, values), strict=True)))

    every = [distance(signs) for signs in product((1, -1), repeat=sum(map(bool, values)))]
    seen = distance(tuple(int(math.copysign(1, value)) for value in values if value))
    assert signed_rank_test(values) == pytest.approx(sum(each >= seen - 1e-9 for each in every) / len(every))


def test_many_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(1)
    values = [chance.gauss(0.0, 1.0) for _ in range(300)]
    exact = signed_rank_test(values)
    monkeypatch.setattr(significance, "_EXACT", 100)
    assert exact == pytest.approx(signed_rank_test(values), rel=0.05)


def test_holm_corrects_by_steps() -> None:
    assert holm([0.01, 0.02, 0.03, 0.005]) == pytest.approx([0.03, 0.04, 0.04, 0.02])
    assert holm([0.9, 0.6]) == [1.0, 1.0]
    assert holm([]) == []


def runs(**seconds: list[float | None]) -> Table:
    """A table of solvers by their seconds on problems 0, 1, ...; None: a timeout, at 10 s."""
    return tables([record(f"f/{n}", name, each) for name, some in seconds.items() for n, each in enumerate(some)])[0]


def test_timeouts_are_ties_at_the_limit() -> None:
    (test,) = pair_tests(runs(a=[1.0, 2.0, None, None, 4.0], b=[2.0, 2.0, None, 9.0, None]))
    assert {test.first, test.second} == {"a", "b"}
    faster, slower = (test.faster, test.slower) if test.first == "a" else (test.slower, test.faster)
    assert (faster, slower, test.ties) == (2, 1, 2)
    assert test.ratio is not None
    assert (test.ratio.number, test.ratio.asked) == (2, 5)
    assert not test.differs


def test_a_solver_that_is_faster_everywhere() -> None:
    table = runs(a=[1.0 + n for n in range(8)], b=[1.5 + 2 * n for n in range(8)], c=[1.2 + n for n in range(8)])
    found = {(test.first, test.second): test for test in pair_tests(table)}
    assert found["a", "b"].sign == pytest.approx(3 * 2 / 2**8)
    assert found["a", "b"].differs
    shown = report_tables.pair_tests(table)
    assert shown is not None
    assert shown.rows[0][:4] == ("a, c", "8", "0", "0")
    assert report_tables.pair_tests(runs(a=[1.0])) is None


def disturbed(places: dict[int, str]) -> Table:
    """A campaign of five equal solvers on twenty problems, in which the run in each fifth place took ten times as long."""
    chance = random.Random(5)
    seconds: dict[str, list[float | None]] = {name: [] for name in "abcde"}
    for block in range(20):
        order = [places[5 * block + at] for at in range(5)]
        for at, name in enumerate(order):
            seconds[name].append(chance.uniform(0.9, 1.1) * (8.0 if at == 4 else 1.0))
    return runs(**seconds)


def test_what_disturbs_each_fifth_run_makes_no_solver_differ_if_the_order_is_random() -> None:
    chance = random.Random(11)
    fixed = disturbed(dict(enumerate("abcde" * 20)))
    drawn = disturbed(dict(enumerate("".join("".join(chance.sample("abcde", 5)) for _ in range(20)))))
    assert {test.second for test in pair_tests(fixed) if test.differs} == {"e"}
    assert [test for test in pair_tests(drawn) if test.differs] == []


def test_mean_ranks_and_who_is_joined() -> None:
    chance = random.Random(3)
    a = [chance.uniform(1.0, 2.0) for _ in range(20)]
    b = [chance.uniform(1.0, 2.0) for _ in range(20)]
    c = [5.0 + each for each in a]
    timeouts: list[float | None] = [None] * 20
    found = mean_ranks(runs(a=[*a], b=[*b], c=[*c], d=timeouts))
    assert found is not None
    by_solver = dict(found.ranks)
    assert by_solver["a"] + by_solver["b"] == pytest.approx(3.0)
    assert (by_solver["c"], by_solver["d"], found.number) == (3.0, 4.0, 20)
    assert [set(group) for group in found.alike] == [{"a", "b"}]
    assert mean_ranks(runs(a=[1.0])) is None


def test_the_figure_is_drawn_only_if_it_is_asked_for() -> None:
    from tiler.report import draw

    table = runs(a=[1.0, 2.0, 3.0, None], b=[1.1, 1.9, None, None], c=[4.0, 5.0, 6.0, 7.0])
    assert "ranks" not in draw.suitable(table)
    ((kind, drawing),) = draw.drawings(table, ["ranks"])
    rows: list[Any] = list(drawing.rows)
    assert kind == "ranks"
    assert ranks.suits(table)
    assert sum(row["mean_rank"] for row in rows) == pytest.approx(6.0)
    assert [row["mean_rank"] for row in rows] == sorted(row["mean_rank"] for row in rows)
