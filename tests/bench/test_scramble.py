"""Forms of a problem mean the same: as many tilings, and each tiling of one is a tiling of the problem itself."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import corpus
import pytest
from corpus import BOARDS, boards
from records import record, record_of_run

from tiler import formats
from tiler.ask.solve import solve, solve_cover
from tiler.bench import plan
from tiler.bench.campaign import full_specs, make
from tiler.bench.general_cover import GeneralCover
from tiler.bench.job import Job, matrix
from tiler.bench.judge import judge
from tiler.bench.scramble import ScrambledForm, form_of_instance
from tiler.bench.stats import tables
from tiler.bench.store import Store
from tiler.errors import BadSolution, InputError
from tiler.formats import dlx, inline
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question
from tiler.report import spread
from tiler.selftest.brute_force import as_tiling

LIST = Question(Goal.ENUMERATE)


@pytest.mark.parametrize("sort", BOARDS)
def test_each_tiling_of_a_form_is_one_of_the_problem(sort: str) -> None:
    for number, board in enumerate(boards(sort)[::4], 1):
        form = form_of_instance(board.instance, number)
        found = solve(form.instance, "backtracking", LIST).solutions
        assert len(found) == len(board.tilings), board
        assert {as_tiling(form.originals(each)) for each in found} == board.tilings, board


def written(instance: Instance) -> tuple[object, ...]:
    """What a solver may take notice of."""
    return instance.board, [(tile.name, tile.shape) for tile in instance.tiles]


PENTOMINOES = formats.read("classic/pentominoes-06x10_s")


def test_forms_differ_and_stay_as_they_are() -> None:
    forms = [form_of_instance(PENTOMINOES, number).instance for number in range(6)]
    assert forms[0] is PENTOMINOES
    assert len({repr(written(each)) for each in forms}) == 6
    assert forms == [form_of_instance(PENTOMINOES, number).instance for number in range(6)]
    assert len({each.digest for each in forms}) > 3  # Other questions, by the order of the tiles and the way the board lies.
    assert {frozenset(tile.name for tile in each.tiles) for each in forms} == {frozenset(t.name for t in PENTOMINOES.tiles)}


def test_a_wrong_way_back_is_noticed() -> None:
    instance = inline(["3x2", "3L", "3I"])
    form = form_of_instance(instance, 1)
    tiling = solve(form.instance, "backtracking").solutions[0]
    form.originals(tiling)
    moved = replace(form.isometry, offset=tuple(a + 1 for a in form.isometry.offset))
    with pytest.raises(BadSolution, match="the tiling of a scrambled form is none of the problem itself"):
        ScrambledForm(instance, form.instance, moved, form.names).originals(tiling)


def test_settings_that_number_the_ways_of_a_tile_keep_the_board() -> None:
    locked = formats.parse("# lock: 3L 2\n\n4x3\n\n3L\n", name="locked")
    assert {form_of_instance(locked, number).isometry.matrix for number in range(8)} == {((1, 0), (0, 1))}
    free = Counter(form_of_instance(inline(["4x3", "3L"]), number).isometry.matrix for number in range(64))
    assert len(free) == 8


def texts() -> list[str]:
    """General exact covers in Knuth's format: those of the corpus that can be written, and one with costs."""
    written = ["a b 1:2|c | d e\na c d:x\na b e:1\nb c d:x\nb d:y c\na\n", "a b c\na|3 b\nc|1\na\nb|2 c\n"]
    for each in corpus.rows()[::3]:
        with suppress(InputError):
            written.append("\n".join(dlx.write(each.cover)))
    return written


@pytest.mark.parametrize("text", texts())
def test_forms_of_a_cover_have_as_many_solutions(text: str) -> None:
    cover = GeneralCover("cover", text)
    number, best = (solve_cover(cover.cover, "dlx", Question(goal)) for goal in (Goal.COUNT, Goal.OPTIMISE))
    for form in (cover.scrambled(1), cover.scrambled(2)):
        assert solve_cover(form.cover, "dlx", Question(Goal.COUNT)).result.count == number.result.count
        assert solve_cover(form.cover, "dlx", Question(Goal.OPTIMISE)).result.value == best.result.value
        assert Counter(len(row) for row in form.cover.rows) == Counter(len(row) for row in cover.cover.rows)


KNUTH = "| Knuth, 7.2.2.1\na b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"


def test_forms_of_a_cover_differ_and_stay_as_they_are() -> None:
    cover = GeneralCover("knuth", KNUTH)
    forms = [cover.scrambled(number) for number in range(5)]
    assert forms[0] == cover
    assert len({form.text for form in forms}) == 5
    assert forms == [cover.scrambled(number) for number in range(5)]
    assert cover.digest == GeneralCover("other", KNUTH.replace("Knuth,", "From")).digest != forms[1].digest


def test_a_campaign_about_a_cover(tmp_path: Path) -> None:
    (tmp_path / "knuth.dlx").write_text(KNUTH)
    (tmp_path / "plan.toml").write_text(
        'instances = ["knuth.dlx"]\nsolvers = ["dlx", "frontier"]\ngoal = "count"\nscramble = 3\n'
    )
    jobs, refused = plan.read(str(tmp_path / "plan.toml")).runs()
    assert (len(jobs), refused) == (6, ())
    with Store(tmp_path) as store:
        made = judge(list(make(jobs, store, warm_seconds=0.0)))
    answers = {(each["solver"].split(":")[0], each["form"]): (each["count"], each["category"]) for each in made}
    assert [answers["dlx", form] for form in range(3)] == [(1, "unchecked")] * 3
    assert {each["digest"] for each in made} == {GeneralCover("", KNUTH).digest}
    assert made[0]["cells"] == 7
    (tmp_path / "knuth.dlx").write_text("a b\na c\n")
    with pytest.raises(InputError, match="the item 'c' is not in the line of items"):
        plan.read(str(tmp_path / "plan.toml")).runs()


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_record_keeps_the_form_and_a_tiling_of_the_problem_itself(number: int) -> None:
    instance = replace(inline(["4x3", "3L", "3I"]), name="small")
    made = record_of_run(Job(instance, "backtracking", Question(), form=number))
    assert (made["form"], made["digest"], made["status"], made["verified"]) == (number, instance.digest, "sat", 1)
    rows = (made["tiling"] or "").split("/")
    assert (len(rows), {len(row) for row in rows}) == (3, {4})  # As the problem lies, however the form does.


def test_each_form_is_a_run_of_its_own() -> None:
    jobs = matrix([inline(["4x3", "3L"])], full_specs(["backtracking", "sat"]), Question(), seeds=2, forms=3)
    seeds = {"backtracking": 1, "sat": 2}
    assert sorted((job.solver.split(":")[0], job.form, job.question.seed) for job in jobs) == [
        (name, form, seed) for name in seeds for form in range(3) for seed in range(seeds[name])
    ]


def test_forms_must_have_the_same_answer() -> None:
    runs = [record("a", "dlx", 1.0, form=form, goal="count", count=6, category="unchecked", verified=0) for form in range(3)]
    assert {each["category"] for each in judge(runs)} == {"unchecked"}
    runs[2] |= {"count": 7}
    assert {each["category"] for each in judge(runs)} == {"wrong"}


def of_form(form: int, a: float, b: float, c: float) -> list[Any]:
    """The runs of three solvers on a problem in a form."""
    return [record("f/1", name, seconds, form=form) for name, seconds in zip("abc", (a, b, c), strict=True)]


def test_which_places_a_scramble_changes() -> None:
    table = tables([*of_form(0, 1, 4, 9), *of_form(1, 2, 3, 9), *of_form(2, 3, 1, 9)])[0]
    assert table.cell("f/1", "a").repeats == 3
    assert spread.rank_changes(table) == (spread.RankChange("a", "b", (2,)),)
    assert spread.about_rankings(table) == [
        "A scramble changes the ranking: a comes before b by the medians over all forms, but after it in 1 of the 3 forms."
    ]
    calm = tables([*of_form(0, 1, 4, 9), *of_form(1, 2, 3, 9)])[0]
    assert spread.about_rankings(calm) == ["The ranking is the same in each of the 2 forms of the problems."]
    assert spread.about_rankings(tables(of_form(0, 1, 4, 9))[0]) == []


def test_who_is_within_the_scatter() -> None:
    runs = [*of_form(0, 1, 4, 20), *of_form(1, 2, 3, 9), *of_form(2, 3, 2.5, 10)]
    shown = spread.by_problem(tables(runs)[0])
    assert shown is not None
    assert shown.heads == ("problem", "a", "b", "c", "fastest")
    assert shown.rows == (
        ("f/1", "2.00 s (1.00 s to 3.00 s)", "3.00 s (2.50 s to 4.00 s)", "10 s (9.00 s to 20 s)", "a; within the scatter: b"),
    )
    assert spread.by_problem(tables(of_form(0, 1, 4, 9))[0]) is None
    # A run without an answer is infinitely long.
    lost = [each if each["solver"] != "a" or each["form"] != 2 else record("f/1", "a", form=2) for each in runs]
    shown = spread.by_problem(tables(lost)[0])
    assert shown is not None
    assert shown.rows[0][1::3] == ("2.00 s (1.00 s to 2.00 s, 2 of 3 solved)", "a; within the scatter: b, c")
