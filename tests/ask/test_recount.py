"""Counts carry the parts that they are the sum of, and these can be counted again by another solver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tiler import formats
from tiler.ask.recount import recount
from tiler.ask.solve import solve
from tiler.cli.main import main
from tiler.cover.action import actions, generators
from tiler.cover.board import BoardCover
from tiler.errors import InputError
from tiler.question.question import Goal, Limits, Question

UP_TO_SYMMETRY = Question(Goal.COUNT, up_to_symmetry=True)

#: Problems that are counted up to symmetry in several ways.
WAYS = {
    "anchor": ["4x4", "2:4L", "1:4O", "1:4I"],
    "burnside": ["6x6", "3L", "3I"],
    "copies": ["6x6", "4:3L", "8:3I"],
    "plain": [".xxx/xx.x/xxxx/xxxx", "2", "4L"],
}


def summary(shapes: list[str], solver: str = "fila") -> dict[str, Any]:
    """As it comes back from a file."""
    return json.loads(json.dumps(solve(formats.inline(shapes), solver, UP_TO_SYMMETRY).summary()))


@pytest.mark.parametrize("shapes", WAYS.values(), ids=WAYS)
def test_all_parts_are_the_same_again(shapes: list[str]) -> None:
    answer, instance = summary(shapes), formats.inline(shapes)
    found = recount(instance, answer, 1.0)
    assert (found.wrong, found.again, found.unfinished) == (None, len(answer["parts"]["found"]), 0)
    assert "fila" not in found.solvers
    assert recount(instance, answer, 0.01).again == 1
    assert recount(instance, answer, 1.0, solver="backtracking").solvers in (("backtracking",), ("backtracking", "dlx"))


def test_the_ways_are_those() -> None:
    found = {summary(shapes)["parts"]["method"] for shapes in WAYS.values()}
    assert found == {"anchor", "burnside", "plain"}


def shift(parts: dict[str, Any]) -> None:
    """A number that is wrong, and another that makes up for it."""
    first = next(number for number, found in enumerate(parts["found"]) if found)
    parts["found"][first] -= 1
    parts["found"][(first + 1) % len(parts["found"])] += 1


FALSE: list[tuple[str, Callable[[dict[str, Any]], object], str]] = [
    ("a part", lambda answer: shift(answer["parts"]), "part "),
    ("the sum", lambda answer: answer.update(count=answer["count"] + 1), "its parts make"),
    ("the group", lambda answer: answer.update(symmetry=8), "the group has order"),
    ("the problem", lambda answer: answer.update(digest="0" * 16), "about another problem"),
    ("the plan", lambda answer: answer["parts"].update(digest="0" * 16), "not those that this problem has"),
    ("a part left out", lambda answer: answer["parts"]["found"].__setitem__(0, None), "of its parts are not counted"),
]


@pytest.mark.parametrize(("change", "text"), [pytest.param(*case[1:], id=case[0]) for case in FALSE])
def test_what_is_false_is_found(change: Callable[[dict[str, Any]], object], text: str) -> None:
    answer = summary(WAYS["anchor"])
    change(answer)
    assert text in (recount(formats.inline(WAYS["anchor"]), answer, 1.0).wrong or "")


@pytest.mark.parametrize("parts", [None, 3, {}, {"solver": "dlx", "found": [1]}])
def test_what_has_no_parts_is_refused(parts: object) -> None:
    answer = summary(WAYS["anchor"])
    with pytest.raises(InputError, match="parts"):
        recount(formats.inline(WAYS["anchor"]), {**answer, "parts": parts}, 1.0)


def test_a_count_by_several_processes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tiler.ask import parallel

    monkeypatch.setattr(parallel, "_TRIAL_SECONDS", 0.0)
    assert main(["count", "8x6", "2", "--solver", "dlx", "--jobs", "2", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["parts"]["found"]) >= 128
    assert sum(answer["parts"]["found"]) == answer["count"] == 167089
    problem, file = tmp_path / "p.json", tmp_path / "a.json"
    problem.write_text(json.dumps({"board": "8x6", "tiles": ["2"]}))
    file.write_text(json.dumps(answer))
    assert main(["check", str(problem), str(file), "--recount", "5%", "--solver", "backtracking"]) == 0
    assert capsys.readouterr().out.endswith("parts counted again by backtracking: the same\n")
    shift(answer["parts"])
    file.write_text(json.dumps(answer))
    assert main(["check", str(problem), str(file), "--recount", "100%"]) == 4
    assert "counts" in capsys.readouterr().out


def test_a_count_that_went_on_has_all_parts(tmp_path: Path) -> None:
    from tiler.ask.checkpoint import Checkpoint
    from tiler.backends.registry import parse_spec

    instance, backend = formats.inline(WAYS["burnside"]), parse_spec("dlx")
    limited = Question(Goal.COUNT, Limits(nodes=3000), up_to_symmetry=True)
    checkpoint = Checkpoint.open(tmp_path / "c", instance, backend, limited)
    first = solve(instance, backend, limited, checkpoint=checkpoint).result
    assert first.count is None
    rest = solve(instance, backend, UP_TO_SYMMETRY, checkpoint=Checkpoint.open(tmp_path / "c", instance, backend, UP_TO_SYMMETRY))
    assert rest.result.parts == solve(instance, backend, UP_TO_SYMMETRY).result.parts


def test_generators_make_the_group() -> None:
    turned, _ = actions(BoardCover.of(formats.inline(["4x4", "2"])))
    made = {tuple(row) for row in generators(turned)} | {tuple(range(16))}
    assert len(generators(turned)) <= 3
    while len(more := made | {tuple(a[cell] for cell in b) for a in made for b in made}) > len(made):
        made = more
    assert made == {tuple(row) for row in turned.tolist()}
