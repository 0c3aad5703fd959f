"""JSON of unknown origin: an object with a key twice is refused, whatever reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call
from records import campaign

from tiler import formats, jsontext
from tiler.bench import record
from tiler.errors import InputError
from tiler.question import certificate


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"a": 1, "a": 1}', 1),
        ('{"b": {"a": 1},\n"c": [{"d": 1,\n"d" : 2}]}', 3),
        ('{"ä": 1,\n"\\u00e4": 2}', 2),
        (b'{"a": 1,\n"a": 1}', 2),
        ('{"b": {"a": 1},\n"c": {"a": 1,\n"a": 2}}', None),
    ],
)
def test_a_key_that_is_there_twice(text: str | bytes, line: int | None) -> None:
    with pytest.raises(InputError, match=r"the key '\w' is there twice in an object") as refused:
        jsontext.loads(text)
    assert refused.value.line == line


def test_equal_keys_of_different_objects() -> None:
    assert jsontext.loads('[{"a": {"a": 1}}, {"a": 2}]') == [{"a": {"a": 1}}, {"a": 2}]


def doubled(text: str, key: str) -> str:
    """An object with one of its keys once more at the end."""
    return f"{text.rstrip()[:-1]}, {json.dumps(key)}: {json.dumps(json.loads(text)[key])}}}\n"


def test_files_with_a_key_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    problem, solutions = tmp_path / "a.json", tmp_path / "lines.json"
    problem.write_text(doubled(formats.json.write(formats.inline(["2x2", "2"])), "board"))
    lines = call(capsys, "solve", "2x2", "2", "--all", "--format", "json")[1].splitlines()
    solutions.write_text("".join(f"{line}\n" for line in [*lines[:-1], doubled(lines[-1], "count")]))
    assert call(capsys, "count", str(problem))[::2] == (2, f"tiler: {problem}:1: the key 'board' is there twice in an object\n")
    status, _, err = call(capsys, "check", "2x2", "2", str(solutions))
    assert (status, "lines.json:3: " in err, "the key 'count' is there twice in an object" in err) == (2, True, True)
    with pytest.raises(InputError, match="the key 'proof' is there twice"):
        certificate.parse(doubled('{"schema": "tiler-certificate-1", "digest": "", "proof": {"kind": "area"}}', "proof"))


def test_a_record_with_a_key_twice_cannot_be_read() -> None:
    line = json.dumps(campaign()[0])
    assert record.decoded(line.encode()) is not None
    assert record.decoded(doubled(line, "status").encode()) is None


def test_the_line_of_an_exact_cover_s_solution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cover, solutions = tmp_path / "a.dlx", tmp_path / "lines.json"
    cover.write_text("a b\na\nb\n")
    for wrong, said in (
        ('[{"row": 0, "row": 1}]', "the key 'row' is there twice in an object"),
        ("[", "not JSON: Expecting value"),
    ):
        solutions.write_text(f'[{{"row": 0}}, {{"row": 1}}]\n{wrong}\n')
        assert call(capsys, "check", str(cover), str(solutions))[::2] == (2, f"tiler: {solutions}:2: {said}\n")
