"""A figure stands on one page, and a whole command that was measured says what its record says."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import by_hand  # noqa: E402
import regenerate_examples as examples  # noqa: E402

PAGES = {page.relative_to(ROOT).as_posix(): page.read_text() for page in examples.pages()}
FIGURES = by_hand.figures()
#: Jobs that several pages speak of: their seconds and their memory stand on one of them.
JOBS = {
    "6x15 by one-sided pentominoes": r"\b6 ?x ?15\b",
    "5x18 by one-sided pentominoes": r"\b5 ?x ?18\b",
    "9x10 by one-sided pentominoes": r"\b9 ?x ?10\b",
    "10x10 by pentominoes": r"\b10 ?x ?10\b[^|.]*(?<!one-sided-)pentominoes",
    "14x14 by tetrominoes": r"\b14 ?x ?14\b[^|.]*tetrominoes",
    "dominoes on 100x100": r"\b100 ?x ?100 (?:2|by dominoes)\b|dominoes on 100 ?x ?100\b",
    "an Aztec diamond of order 200": r"aztec:200\b|order 200\b",
    "Tetris Cube": r"\bTC\b|[Tt]etris[- ][Cc]ube",
    "PT": r"\bPT\b",
    "Bedlam cube": r"\b[Bb]edlam\b",
    "all problems of the thesis, as commands": r"\b204 commands\b|for each of the 204 problems",
    "MacMahon's 24 squares": r"MacMahon's 24|macmahon-24",
}
#: Seconds or memory, with a decimal point or in whole numbers; limits such as `5 s each` are none.
AMOUNT = re.compile(r"(?<![-\d.x])\d[\d,]*(?:\.\d+)?[  ](?:CPU )?(?:s|seconds|MB|MiB|GB|minutes)\b(?! each)")


def statements(text: str) -> Iterator[str]:
    """The sentences and the rows of tables of a page, without its blocks of code, each on one line."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for block in re.split(r"\n\n|\n(?=\||- )", text):
        line = " ".join(block.split())
        yield from [line] if line.startswith("|") else re.split(r"(?<=[.;]) ", line)


def pages_with(job: str, pages: Mapping[str, str]) -> list[str]:
    """The pages that give seconds or memory of a job."""
    return [
        name for name, text in pages.items() if any(re.search(job, each) and AMOUNT.search(each) for each in statements(text))
    ]


@pytest.mark.parametrize("job", JOBS)
def test_a_figure_stands_on_one_page(job: str) -> None:
    assert len(pages_with(JOBS[job], PAGES)) <= 1


def test_a_figure_that_stands_twice_is_seen() -> None:
    pages = {"a": "The 6x15 board took 1.5 s.", "b": "| 6 x 15 | 251 MiB |\n", "c": "6x15 has 10 tilings.\n\nIt took 3 s."}
    assert pages_with(JOBS["6x15 by one-sided pentominoes"], pages) == ["a", "b"]


def test_long_numbers_stand_once() -> None:
    """Numbers of nodes and the like, of seven digits or more; counts of tilings are facts that may be said anywhere."""
    facts = set(_counts())
    found: dict[str, set[str]] = {}
    for name, text in PAGES.items():
        for statement in statements(text):
            for number in re.findall(r"(?<![\d,])\d{1,3}(?:,\d{3}){2,}(?![\d,])", statement):
                found.setdefault(number, set()).add(name)
    twice = {
        number: sorted(names) for number, names in found.items() if len(names) > 1 and int(number.replace(",", "")) not in facts
    }
    assert twice == {}


def _counts() -> Iterator[int]:
    """What problem files and records say as numbers of tilings."""
    for path in (ROOT / "problems").rglob("*.txt"):
        for value in re.findall(r"^# count(?: up to symmetry)?: (\d+)", path.read_text(), re.M):
            yield int(value)
    for line in (ROOT / "results/reference/records/records.jsonl").read_text().splitlines():
        yield int(json.loads(line)["count"])


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_the_page_says_what_was_measured(figure: by_hand.Figure) -> None:
    record = by_hand.records()[figure.name]
    assert record["command"] == figure.command
    assert record["runs"] == len(figure.commands())
    assert {"date", "commit", "load", "wall_seconds", "cpu_seconds"} <= record.keys()
    for pattern, says in figure.texts(record):
        assert [" ".join(found.split()) for found in pattern.findall(PAGES[figure.page])] == [says]


def test_what_is_measured_names_its_command() -> None:
    """A figure made by hand is a line of hand.jsonl; a page does not say that it was made so."""
    assert [name for name, text in PAGES.items() if re.search(r"[Bb]y\s+hand\s+on\b|made\s+by\s+hand", text)] == []


def test_a_figure_is_measured_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, records, figures = (tmp_path / name for name in ("page.md", "hand.jsonl", "hand.toml"))
    page.write_text("It takes 99.9 s, or\n1,230 MB of memory.\n\nIt takes 7 ms.\n")
    figures.write_text(
        '[[figure]]\nname = "a"\ncommand = "tiler count 2x2 2"\nrepeat = 1\npage = "page.md"\n'
        'says = ["takes {cpu} s,", "or {peak} MB of memory", "nowhere {wall}"]\n'
    )
    for name, value in (("ROOT", tmp_path), ("RECORDS", records), ("FIGURES", figures)):
        monkeypatch.setattr(by_hand, name, value)
    run = {"wall_seconds": 3.21, "cpu_seconds": 2.0, "search_seconds": 0.5, "peak_megabytes": 87.0, "answer": "2"}
    monkeypatch.setattr(by_hand, "run", lambda command, *_: {**run, "said": shlex.split(command)})
    monkeypatch.setattr(sys, "argv", ["by_hand.py"])
    by_hand.main()
    assert page.read_text() == "It takes 2.0 s, or 90 MB of memory.\n\nIt takes 7 ms.\n"
    assert "says this 0 times, not once: nowhere 3.2" in capsys.readouterr().out
    (record,) = map(json.loads, records.read_text().splitlines())
    assert (record["answer"], record["cpu_seconds"], record["runs"]) == ("2", 2.0, 1)


@pytest.mark.long
def test_a_run_is_a_process(tmp_path: Path) -> None:
    found = by_hand.run("tiler count 4x4 2", str(tmp_path))
    assert found["answer"] == "36"
    assert found["wall_seconds"] > found["search_seconds"] > 0  # On a busy machine it waits, and its CPU seconds may be fewer.
    assert found["cpu_seconds"] > 0
    assert found["peak_megabytes"] > 10
