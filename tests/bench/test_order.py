"""The order of the runs of a campaign: what drifts or comes back must not hit one solver more than others."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from tiler.bench import campaign, campaign_file, plan, record
from tiler.bench.campaign_file import PLAN
from tiler.bench.job import Job, matrix
from tiler.bench.order import RunOrder
from tiler.bench.plan import Campaign
from tiler.bench.store import Store
from tiler.errors import InputError
from tiler.formats import inline
from tiler.question.question import Question

SOLVERS = ("auto", "backtracking", "dlx", "fila", "frontier")
BY_SIZE, AT_RANDOM, OTHER = RunOrder(None), RunOrder(), RunOrder(7)


def jobs(problems: int = 20, repeats: int = 1) -> tuple[Job, ...]:
    """The runs of five solvers on boards of growing size."""
    instances = [replace(inline([f"{2 + number}x2", "2"]), name=f"strip/{number:02}") for number in range(problems)]
    return matrix(instances, campaign.named_specs(SOLVERS), Question(), repeats)


def every_fifth(order: RunOrder) -> Counter[str]:
    """How often each solver makes the run that is disturbed, if every fifth one is."""
    return Counter(job.solver.partition(":")[0] for job in order.arranged(jobs())[4::5])


def test_what_disturbs_every_fifth_run_disturbs_no_solver_more_than_others() -> None:
    assert every_fifth(BY_SIZE) == {"frontier": 20}  # In a fixed order, the last one bears it all.
    for order in (AT_RANDOM, OTHER):
        assert every_fifth(order).keys() == set(SOLVERS)
        assert max(every_fifth(order).values()) < 10


def test_drift_shifts_all_solvers_alike() -> None:
    def mean_place(order: RunOrder, solver: str) -> float:
        places = [place for place, job in enumerate(order.arranged(jobs())) if job.solver.startswith(solver)]
        return sum(places) / len(places)

    fixed, drawn = ([mean_place(order, solver) for solver in SOLVERS] for order in (BY_SIZE, AT_RANDOM))
    assert fixed == sorted(fixed)
    assert drawn != sorted(drawn)
    assert max(drawn) - min(drawn) < 3  # Of 100 places: so close to each other, only since problems are blocks.


def test_the_solvers_of_a_problem_run_one_after_the_other() -> None:
    arranged = AT_RANDOM.arranged(jobs(repeats=2))
    blocks = [(key, len(list(some))) for key, some in groupby(arranged, lambda job: (job.repeat, job.name))]
    assert [number for _, number in blocks] == [5] * 40
    assert [repeat for (repeat, _), _ in blocks] == [0] * 20 + [1] * 20  # Rounds of repeats stay rounds.
    first, second = [[name for (_, name), _ in some] for some in (blocks[:20], blocks[20:])]
    assert sorted(first) == sorted(second) != first != second


def test_what_is_left_keeps_to_the_order() -> None:
    whole = AT_RANDOM.arranged(jobs())
    for left in (whole[37:], whole[::3], whole[::-1]):
        assert AT_RANDOM.arranged(left) == tuple(job for job in whole if job in left)
    assert OTHER.arranged(jobs()) != whole


def test_each_record_names_the_order(tmp_path: Path) -> None:
    some = jobs(problems=2)[:2]
    with Store(tmp_path) as store:
        made = list(campaign.make(some, store, order=OTHER, warm_seconds=0.0))
    assert [each["order"] for each in record.read(tmp_path).records] == ["random:7"] * 2
    assert [each["solver"] for each in made] == [job.solver for job in OTHER.arranged(some)]


def test_a_folder_keeps_the_order_until_another_one_is_named(tmp_path: Path) -> None:
    assert campaign_file.order_in(tmp_path) is None
    for asked, kept in ((OTHER, OTHER), (None, OTHER), (BY_SIZE, BY_SIZE)):
        campaign_file.keep(Campaign(order=asked), tmp_path)
        assert campaign_file.order_in(tmp_path) == kept
    assert plan.read(str(tmp_path / PLAN)).parts == Campaign().parts


@pytest.mark.parametrize("order", ["by-name", "random:", "random:x", ""])
def test_an_order_that_there_is_not(order: str, tmp_path: Path) -> None:
    file = tmp_path / "campaign.toml"
    file.write_text(f'order = "{order}"\n')
    with pytest.raises(InputError, match="is no order of runs; write random, random:SEED or size"):
        plan.read(str(file))
