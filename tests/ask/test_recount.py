"""Counts carry the parts that they are the sum of, and these can be counted again by another solver."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from calls_here import CallsHere

from tiler import formats
from tiler.ask import planner
from tiler.ask.recount import recount
from tiler.ask.solve import solve
from tiler.cli.main import main
from tiler.cover.board import BoardCover
from tiler.cover.group_action import actions, generators
from tiler.errors import BadOption, InputError
from tiler.process import executors
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


def test_the_parts_of_a_search_that_was_chosen_are_those_by_its_name() -> None:
    # It numbers cells in another order than the one that chose it, and keeps other placements of the anchor.
    soma = ["3x3x3", "1:soma"]
    answer = summary(soma, "fila:order=auto")
    assert answer["parts"]["solver"].startswith("dlx:filter=off,anchor=4S,")
    found = recount(formats.inline(soma), answer, 1.0)
    assert (found.wrong, found.unfinished) == (None, 0)
    assert "dlx" not in found.solvers


def test_the_parts_may_be_those_of_auto_itself() -> None:
    shapes = ["4x4", "2"]
    answer = summary(shapes, "auto:among=dlx")
    assert answer["parts"]["solver"].startswith("auto:")
    assert recount(formats.inline(shapes), answer, 1.0).wrong is None


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
    ("the sum", lambda answer: answer.update(count=answer["count"] + 1), "its parts add up to"),
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


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[list[str], dict[str, Any]]]:
    """Counts that were split too: one up to symmetry, one of all tilings."""
    found = {way: (shapes, summary(shapes)) for way, shapes in WAYS.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(planner, "_TRIAL_SECONDS", 0.0)
        patch.setattr(executors, "connect", lambda where, prepare: CallsHere(slots=1))
        for name, question in (("split", Question(Goal.COUNT)), ("split up to symmetry", UP_TO_SYMMETRY)):
            answer = solve(formats.inline(["6x4", "2"]), "dlx", question, executor="local:1")
            found[name] = ["6x4", "2"], json.loads(json.dumps(answer.summary()))
    return found


#: For each field values that are false, or not as they are written: all but the name, the seconds and the message are known.
TAMPERED: dict[str, list[Any]] = {
    "schema": ["tiler-answer-2", None],
    "instance": [3, None],
    "digest": ["0" * 16, 0],
    "solver": ["dlx:order=first", "dlx", "cpsat", "frontier:filter=off,anchor=off,order=auto", 1],
    "status": ["unsat", "unknown", "yes", None, []],
    "stop": ["time", "solutions", "over", None, {}],
    "count": [0, 1, 10**30, None, -1, "36", 36.0, True, {}, [36]],
    "symmetry": [2, 3, 0, 16, None, "8", True],
    "parts": [None, {}, 3],
    **{f"{clock}_seconds": [-1, "1", None, True] for clock in ("encode", "solve", "verify", "draw")},
    "threads": [0, -1, "1", None, True],
    "stats": [{}, None, [], {"found": 0}, {"found": 10**30, "method": "plain"}, {"found": "1"}],
    "message": [None, 1],
    "turned_over": [True, False, 1],
    "parts.solver": ["dlx:order=first", "dlx", "auto", "cpsat", 1],
    "parts.method": ["canonical", "none", None],
    "parts.divisor": [2, 3, 0, -1, None, True],
    "parts.pieces": [0, 3, 200, 10**12, -1, "128", True],
    "parts.times": [[], [2], [1] * 3, None, ["1"]],
    "parts.found": [[], [1], [1] * 3, None, ["1"], [-1]],
    "parts.digest": ["0" * 16, None],
    "parts.generators": [[[0]], [[1, 0]], None, [3], [["0"]], [[-1]]],
}
_MADE = ["anchor", "burnside", "copies", "plain", "split", "split up to symmetry"]


@pytest.mark.parametrize("way", _MADE)
@pytest.mark.parametrize("field", TAMPERED)
def test_every_field_is_looked_at(field: str, way: str, answers: dict[str, tuple[list[str], dict[str, Any]]]) -> None:
    shapes, answer = answers[way]
    assert {*answer, *(f"parts.{name}" for name in answer["parts"])} == set(TAMPERED)
    instance = formats.inline(shapes)
    whole, _, part = field.partition(".")
    for value in TAMPERED[field]:
        told = json.loads(json.dumps(answer))
        owner, name = (told["parts"], part) if part else (told, whole)
        if owner[name] == value and type(owner[name]) is type(value):
            continue
        owner[name] = value
        try:
            found = recount(instance, told, 0.01)
        except (InputError, BadOption):
            continue
        assert found.wrong, f"{field} as {value!r}"


@pytest.mark.parametrize("way", _MADE)
def test_generators_and_what_nobody_writes_are_looked_at(way: str, answers: dict[str, tuple[list[str], dict[str, Any]]]) -> None:
    shapes, answer = answers[way]
    told = json.loads(json.dumps(answer))
    for row in told["parts"]["generators"]:
        row[0], row[1] = row[1], row[0]
        assert recount(formats.inline(shapes), told, 0.01).wrong
        row[0], row[1] = row[1], row[0]
    assert recount(formats.inline(shapes), told, 0.01).wrong is None
    with pytest.raises(InputError, match="value"):
        recount(formats.inline(shapes), {**told, "value": 3}, 0.01)
    with pytest.raises(InputError, match="parts"):
        recount(formats.inline(shapes), {**told, "parts": {**told["parts"], "value": 3}}, 0.01)


@pytest.mark.parametrize("parts", [None, 3, {}, {"solver": "dlx", "found": [1]}])
def test_what_has_no_parts_is_refused(parts: object) -> None:
    answer = summary(WAYS["anchor"])
    with pytest.raises(InputError, match="parts"):
        recount(formats.inline(WAYS["anchor"]), {**answer, "parts": parts}, 1.0)


def test_a_count_that_was_split(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts are counted in this process: processes are those of test_parallel.py."""
    monkeypatch.setattr(planner, "_TRIAL_SECONDS", 0.0)
    monkeypatch.setattr(executors, "connect", lambda where, prepare: CallsHere())
    assert main(["count", "8x6", "2", "--solver", "dlx", "--executor", "local:2", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["parts"]["found"]) >= 128
    assert sum(answer["parts"]["found"]) == answer["count"] == 167089
    problem, file = tmp_path / "p.json", tmp_path / "a.json"
    problem.write_text(json.dumps({"board": "8x6", "tiles": ["2"]}))
    file.write_text(json.dumps(answer))
    assert main(["check", str(problem), str(file), "--recount", "5%", "--solver", "backtracking"]) == 0
    assert capsys.readouterr().out.endswith("parts counted again by backtracking: the same\n")
    assert main(["check", str(problem), str(file), "--recount", "1%", "--solver", "dlx"]) == 0
    assert ", which counted them before (--solver backtracking would be another): the same" in capsys.readouterr().out
    assert main(["check", str(problem), str(file)]) == 2
    assert "counts, and lists no tilings: --recount 20%" in capsys.readouterr().err
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
