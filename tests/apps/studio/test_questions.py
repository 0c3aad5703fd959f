"""Every question that the page offers is answered, and its command and its lines of Python do the same."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tiler
from tiler.apps.studio import questions, same_question, saving
from tiler.apps.studio.engine import Engine, document_of
from tiler.apps.studio.messages import (
    AnswerMessage,
    Event,
    FailedMessage,
    LaidTileMessage,
    PartMessage,
    PuzzleBlockMessage,
    SaveMessage,
    TextBlockMessage,
    TilingsBlockMessage,
    ViewerBlockMessage,
)
from tiler.cli.main import main
from tiler.errors import InputError
from tiler.process import memory
from tiler.process.memory import resident_megabytes
from tiler.question import limit_watch

DOMINOES = tiler.make("4x4", "2", "2:3I", reflections=True)
PIECE = LaidTileMessage("2", ((0, 0), (0, 1)))
#: For each question parameters that are not the defaults, and words that its answer has.
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "solve": ({"solver": "dlx", "seconds": 20, "features": ["fault-free"]}, ""),
    "count": ({"up_to_symmetry": True, "threads": 1}, "tilings up to symmetry"),
    "tilings": ({"limit": 3}, "3 tilings; there may be more"),
    "sample": ({"number": 2, "seed": 5}, "2 tilings at random"),
    "prove": ({}, "sat: there is a tiling"),
    "uses": ({}, "tilings"),
    "by_open": ({}, "tilings"),
    "estimate": ({"seed": 3, "samples": 100}, "made in full"),
    "unique": ({"seed": 2}, "fixed"),
    "choose": ({"pieces": 5, "limit": 2}, "set"),
    "steps": ({"solver": "backtracking"}, "of a search by backtracking"),
    "hint": ({}, "place "),
    "apart": ({}, "comes apart"),
    "rectangles": ({"up_to": 4}, "rectangles with sides up to 4"),
    "plane": ({"up_to": 12}, "tiles the plane"),
    "series": ({"board": "2xn", "terms": 5}, "terms"),
}


#: What must be the same where times, or the number of terms, make lines differ; and of pieces that come apart in any order.
SAME: dict[str, Callable[[list[str]], list[str]]] = {
    "count": lambda lines: [line.partition(" ")[0] for line in lines],
    "estimate": lambda lines: sorted(re.findall(r"\b(?:618|156)\b", " ".join(lines))),
    "series": lambda lines: lines[1:],
    "apart": lambda lines: [line for line in lines if line.startswith("comes apart")],
    "steps": lambda lines: [line.partition(":")[0] for line in lines],
}


def problem_of(question: str) -> tiler.Instance:
    if question == "by_open":
        return tiler.make("5x1", "2", open=1)
    if question == "choose":
        return tiler.make("5x3", "1:trominoes", "1:tetrominoes", "1:2")
    return tiler.make("2x4", "2") if question in ("rectangles", "plane", "series") else DOMINOES


def asked(instance: tiler.Instance, question: str, parameters: dict[str, Any], *laid: LaidTileMessage) -> list[Event]:
    engine, events = Engine(), list[Event]()
    engine.open(document_of(instance))
    engine.ask("7", question, parameters, laid, events.append)
    assert all(event.id == "7" for event in events if not isinstance(event, AnswerMessage | FailedMessage))
    return events


def answer(instance: tiler.Instance, question: str, parameters: dict[str, Any], *laid: LaidTileMessage) -> AnswerMessage:
    last = asked(instance, question, parameters, *laid)[-1]
    assert isinstance(last, AnswerMessage), last
    return last


def test_every_question_is_tried() -> None:
    assert set(ASKED) == {form.name for form in questions.offered()}


@pytest.mark.parametrize("question", ASKED)
def test_the_command_and_the_lines_of_python_do_the_same(question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance, (parameters, said) = problem_of(question), ASKED[question]
    laid = (PIECE,) if instance is DOMINOES and question not in ("estimate",) else ()
    told = answer(instance, question, parameters, *laid)
    assert said in " ".join(told.sentences)

    monkeypatch.chdir(tmp_path)
    saved = saving.saved(SaveMessage(document_of(instance), "json", laid))
    (tmp_path / same_question.FILE).write_bytes(saved.content)
    words = shlex.split(told.command)
    assert words[0] == "tiler"
    by_command = lines_of(lambda: main(words[1:]))
    by_python = lines_of(lambda: exec(compile(told.python, "python", "exec"), {}))
    assert len(told.python.splitlines()) == 3
    same = SAME.get(question, lambda lines: lines)
    assert same(by_python)
    assert set(same(by_python)) <= set(same(by_command))
    texts = [block.text for block in told.blocks if isinstance(block, TextBlockMessage)]
    for text in texts:
        assert set(same(text.splitlines())) <= {"", *same(by_python)}
    assert texts or question == "steps" or any(isinstance(block, TilingsBlockMessage) for block in told.blocks)


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("καρδιά 2", "καρδιά-2"),
        ("心", "心"),
        ("a/b: c", "a-b-c"),
        ("..", "problem"),
        ("x" * 59 + ". y", "x" * 59),
    ],
)
def test_a_file_is_named_after_the_title(title: str, stem: str) -> None:
    assert saving.saved(SaveMessage({**document_of(DOMINOES), "title": title}, "json", ())).name == f"{stem}.json"


def lines_of(run: Callable[[], object]) -> list[str]:
    """The lines that are printed, as in a terminal."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(printed):
        assert run() in (None, 0, 3)
    printed.seek(0)
    return [line.rstrip() for line in printed if line.strip()]


def test_numbers_are_those_of_the_functions() -> None:
    assert answer(DOMINOES, "count", {}).sentences == (f"{tiler.count(DOMINOES)} tilings",)
    events = asked(DOMINOES, "tilings", {})
    tilings = {tiling for event in events if isinstance(event, PartMessage) for tiling in event.tilings}
    assert len(tilings) == tiler.count(DOMINOES)
    last = events[-1]
    assert isinstance(last, AnswerMessage)
    assert last.blocks == (TilingsBlockMessage(str(len(tilings)), (), complete=True),)


def test_pieces_laid_are_part_of_the_question() -> None:
    with_piece = int(answer(DOMINOES, "count", {}, PIECE).sentences[0].split()[0])
    assert 0 < with_piece < tiler.count(DOMINOES)


def test_a_limit_is_an_answer() -> None:
    told = answer(tiler.make("30x30", "3L", "4T"), "count", {"solver": "dlx", "seconds": 0.05})
    assert (told.status, told.stop) == ("unknown", "time")
    assert "unfinished" in told.sentences[0]


@pytest.mark.parametrize(
    ("question", "parameters", "said"),
    [
        ("sovle", {}, "nearest: solve"),
        ("count", {"seconds": "soon"}, "seconds"),
        ("count", {"executor": "local:9"}, "there is no parameter"),
        ("rectangles", {"records": "/tmp/x"}, "there is no parameter"),
        ("rectangles", {"proofs": "/tmp/x"}, "there is no parameter"),
        ("series", {}, "say board"),
        ("benchmark", {}, "there is no"),
    ],
)
def test_a_wrong_question_is_refused_in_words(question: str, parameters: dict[str, Any], said: str) -> None:
    last = asked(DOMINOES, question, parameters)[-1]
    assert isinstance(last, FailedMessage)
    assert said in last.error


def test_no_parameter_names_a_file_or_another_machine() -> None:
    for form in questions.offered():
        assert not {"executor", "records", "proofs", "folder"} & {parameter.name for parameter in form.parameters}
        assert "path" not in {parameter.kind for parameter in form.parameters}


def test_a_question_needs_a_problem() -> None:
    with pytest.raises(InputError, match="no problem is open"):
        Engine().ask("1", "count", {}, (), lambda event: None)


def test_chosen_pieces_and_unique_puzzles_are_puzzles_to_go_on_with() -> None:
    chosen = answer(tiler.make("5x4", "1:pentominoes"), "choose", {"pieces": 4, "limit": 3})
    puzzles = [block for block in chosen.blocks if isinstance(block, PuzzleBlockMessage)]
    assert len(puzzles) == 3
    assert all(len(puzzle.problem["tiles"]) == 4 for puzzle in puzzles)
    (puzzle,) = (block for block in answer(DOMINOES, "unique", {}).blocks if isinstance(block, PuzzleBlockMessage))
    engine = Engine()
    engine.open(puzzle.problem)
    assert puzzle.laid
    assert engine.lay(1, puzzle.laid).count in {"1", "2", "4"}  # One up to symmetry.


def test_the_steps_of_a_search_are_shown() -> None:
    (block,) = answer(DOMINOES, "steps", {}).blocks
    assert isinstance(block, ViewerBlockMessage)
    assert block.data["trace"]
    assert len(block.data["frames"]) == len(block.data["looked"]) > 1


def test_a_page_that_has_taken_much_memory_still_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the memory limit of a question only what it takes itself counts."""
    monkeypatch.setattr(memory, "resident_megabytes", lambda: 1_000_000 + resident_megabytes())
    monkeypatch.setattr(limit_watch, "resident_megabytes", memory.resident_megabytes)
    assert answer(DOMINOES, "steps", {}).stop == "done"
    assert answer(DOMINOES, "count", {}).sentences == ("156 tilings",)
    engine = Engine()
    engine.open(document_of(DOMINOES))
    assert engine.lay(1, []).count == "156"


def test_a_tiling_that_comes_apart_is_looked_for() -> None:
    """Of the tilings of this burr only those that are one up to symmetry come apart."""
    taken = answer(tiler.problems("burrs/piston_s")[0], "apart", {})
    assert taken.status == "sat"
    assert "comes apart: level 9.3" in taken.sentences[0]
