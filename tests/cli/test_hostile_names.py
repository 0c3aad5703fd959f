"""Names, titles and messages that drive a terminal, turn the reading direction, break XML or are markup are only shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import status_of
from hypothesis import given
from hypothesis import strategies as st
from records import campaign

from tiler import printable
from tiler.bench import record as record_
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.report import document
from tiler.report.document import Bullets, Figure, Heading, Links, Paragraph, Tabular

HOSTILE = {
    "escape": "\x1b[31mred\x1b]0;title\x07\x1b[2J",
    "c1": "\x9b31m\x90\x85",
    "bidi": "\u202egpj.exe\u202c\u2066x\u2069\u200f",
    "ends": "a\tb\x0b\x0c\u2028c\u2029",
    "markup": "<script>alert('1')</script>&amp;<!-- -- -->]]>",
    "markdown": "`code`|**b** _i_ [l](javascript:x) ![p](q) ~~s~~ $x^2$ \\",
    "math": "$\\frac{1}{$",
    "zero": "soft\xadhyphen\ufeff\u200b",
}
ALL = " ".join(HOSTILE.values())
UNDECODABLE = os.fsdecode(b"bad\xff\x1b[1mname")


def assert_harmless(text: str, *, colours: bool = False) -> None:
    """Nothing in it but lines of what can be seen."""
    if colours:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    seen = {unicodedata.category(letter) for letter in text.replace("\n", "") if letter not in "\u200c\u200d"}
    assert seen.isdisjoint(printable._UNSEEN)
    text.encode()


def problem(title: str) -> dict[str, Any]:
    """A problem all whose words are hostile."""
    word = "".join(title.replace(",", "").split())
    return {
        **{"board": [[0, 0], [0, 1], [1, 0], [1, 1]], "name": title, "title": title.strip(), "source": title.strip()},
        **{"tags": [word], "optional": [[0, 0]], "reflections": False},
        "tiles": [{"name": title, "cells": [[0, 0], [0, 1]], "at_most": 2}, {"name": f"{title}2", "cells": [[0, 0]]}],
        "constraints": [{"kind": "within", "tile": title, "cells": [[0, 0], [1, 1]]}],
    }


@pytest.fixture(params=HOSTILE)
def hostile(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A hostile text, in a folder with problems full of it."""
    monkeypatch.chdir(tmp_path)
    return made_of(HOSTILE[request.param])


@pytest.fixture
def everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """All hostile texts in one."""
    monkeypatch.chdir(tmp_path)
    return made_of(ALL)


def made_of(text: str) -> str:
    Path("p.json").write_text(json.dumps(problem(text)))
    unsolvable = {**problem(text), "board": [[0, 0], [1, 1], [2, 2]], "optional": [], "constraints": []}
    Path("none.json").write_text(json.dumps({**unsolvable, "tiles": unsolvable["tiles"][:1]}))
    return text


@given(st.text())
def test_a_line_is_one_and_what_can_be_seen_stays(text: str) -> None:
    shown = printable.line(text)
    assert_harmless(shown)
    assert "\n" not in shown
    assert printable.line(shown) == shown
    if text.isprintable():
        assert shown == text


def test_what_stays_readable() -> None:
    for text in ("4L/10x10_u", "Größe", "日本\u3000語", "non\xa0breaking", "\u0645\u06cc\u200c\u062e", "👩\u200d🔬"):
        assert printable.line(text) == text
    assert printable.line(UNDECODABLE) == r"bad\xff\x1b[1mname"


@given(st.text())
def test_xml_is_well_formed_and_says_what_the_line_says(text: str) -> None:
    element = ElementTree.fromstring(f'<a b="{printable.xml(text)}">{printable.xml(text)}</a>')
    assert element.text == (printable.line(text) or None)
    assert element.get("b") == printable.line(text)


COMMANDS = [
    ["show", "p.json"],
    ["show", "none.json"],
    ["solve", "p.json"],
    ["solve", "p.json", "--stats", "--trace", "--solver", "backtracking"],
    ["solve", "none.json"],
    ["solve", "p.json", "--all", "--format", "json"],
    ["count", "p.json", "--by-cell"],
    ["sample", "none.json"],
    ["prove", "none.json"],
    ["prove", "none.json", "--signed"],
    ["estimate", "p.json"],
    *(["convert", "p.json", "--format", form] for form in ("cnf", "dlx", "lp")),
]


@pytest.mark.filterwarnings("ignore:Glyph")
def test_commands(hostile: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in COMMANDS:
        assert main(arguments) in (0, 3), arguments
        captured = capsys.readouterr()
        assert_harmless(captured.out)
        assert_harmless(captured.err)
    Path("s.json").write_text(json.dumps([{"tile": hostile + "3", "cells": [[0, 0]]}]))
    assert main(["check", "p.json", "s.json"]) == 4
    assert_harmless(capsys.readouterr().out)


def test_errors_and_file_names(hostile: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    odd = hostile.replace("/", "")
    Path(f"{odd}.txt").write_text("2x2\n\n2\n")
    Path(f"{UNDECODABLE}.txt").write_text("2x2\n\nnonsense\n")
    Path("bad.json").write_text(json.dumps({**problem(hostile), hostile: 1}))
    for arguments, status in (
        (["show", f"{odd}.txt"], 0),
        (["show", f"{UNDECODABLE}.txt"], 2),
        (["show", f"{odd}-missing"], 2),
        (["show", "bad.json"], 2),
        (["show", hostile, hostile], 2),
        ([hostile], 2),
        (["solve", "p.json", "--solver", hostile], 2),
        (["solve", "p.json", "-o", f"{odd}.gif"], 2),
        (["solve", "none.json", "-o", f"{odd}.svg"], 0),
        (["solve", "p.json", "--time-limit", hostile], 2),
        (["check", f"{odd}.txt", f"{odd}.txt"], 2),
        (["report", odd], 2),
        (["bench", "--problems", odd], 2),
    ):
        assert status_of(*arguments) == status, arguments
        captured = capsys.readouterr()
        assert_harmless(captured.out)
        assert_harmless(captured.err)
        assert captured.err.count("\n") <= 2


def test_a_terminal_is_shown_no_problem_file_as_it_is(
    hostile: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    for arguments in (["show", "p.json"], ["show", "p.json", "--format", "problem"], ["solve", "p.json"]):
        assert main(arguments) == 0
        assert_harmless(capsys.readouterr().out, colours=True)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_pictures(everything: str) -> None:
    for command in (["solve", "p.json"], ["sample", "p.json"], ["count", "p.json", "--by-cell"], ["prove", "none.json"]):
        for form in ("svg", "png", "pdf"):
            assert main([*command, "-o", f"out.{form}"]) in (0, 2)
        if Path("out.svg").exists():
            for element in ElementTree.parse("out.svg").iter():
                assert element.tag.removeprefix("{http://www.w3.org/2000/svg}") in (
                    "svg",
                    "title",
                    "g",
                    "path",
                    "rect",
                    "text",
                    "defs",
                    "pattern",
                )
                assert_harmless(element.text or "")


def test_bench(everything: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("problems").mkdir()
    for text in HOSTILE.values():
        odd = text.replace("/", "")
        (Path("problems") / odd).mkdir()
        (Path("problems") / odd / f"{odd}_u.txt").write_text("2x2\n\n2\n")
    (Path("problems") / f"{UNDECODABLE}.txt").write_text("2x1\n\n2\n")
    odd = everything.replace("/", "")
    for _ in range(2):
        assert main(["bench", "-o", odd, "--solver", "dlx", "--no-warm-repeats", "--no-plots"]) == 4
        captured = capsys.readouterr()
        assert_harmless(captured.out)
        assert_harmless(captured.err)
    assert len(record_.read(Path(odd)).records) == len(HOSTILE) + 1


class Page(HTMLParser):
    """The tags, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.scripts = 0
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        assert not any(name.startswith("on") for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def names_replaced(records: list[dict[str, Any]], text: str) -> Iterator[dict[str, Any]]:
    """The records of a campaign with a text in all that comes from elsewhere."""
    for record in records:
        yield {
            **record,
            "instance": f"{text}/{record['instance']}{text}",
            "solver": f"{text}{record['solver']}{text}",
            "message": record["message"] and text,
            "started": text,
            "environment": {"cpu": text, "cores": 2, "platform": text, "commit": text},
            "versions": {text: text, "tiler": text},
        }


@pytest.mark.filterwarnings("ignore:Glyph")
def test_reports(everything: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(Path("out")) as opened:
        for record in names_replaced(campaign()[:10], everything):
            opened.append(record)
    kinds = [word for kind in ("instances", "heatmap") for word in ("--kind", kind)]
    assert main(["report", "out", "--title", everything, *kinds]) == 4
    captured = capsys.readouterr()
    assert_harmless(captured.out + captured.err)
    text, page = Path("out/report.md").read_text(), Page(Path("out/report.html").read_text())
    assert_harmless(text)
    assert not re.search(r"(?<!\\)<", text)
    assert page.tags.isdisjoint({"a b", "b", "i"})
    assert page.scripts == 9  # The packed records, two libraries and the six modules that show them: none of a name.
    assert any(printable.line(everything) in said for said in page.texts)
    for path in Path("out/plots").rglob("*"):
        if path.suffix == ".svg":
            ElementTree.parse(path)
        assert path.resolve().is_relative_to(Path("out/plots").resolve())
    assert {path.name for path in Path().iterdir()} == {"out", "p.json", "none.json"}


SPECIAL = st.text(st.sampled_from("ab1 \\`*_[]<>|~$&#-+=.!()\n\t\x1b\u202e:/"), max_size=12)


@given(SPECIAL)
def test_markdown_has_no_markup_that_comes_from_elsewhere(text: str) -> None:
    def lines(of: str) -> list[str]:
        grid = Tabular((of, "n"), ((of, of),), of or "x")
        return document.markdown((Heading(of), Paragraph(of), Bullets((of,)), grid, Figure("p", of, b"", ()))).split("\n")

    written = "\n".join(lines(text))
    assert len(lines(text)) == len(lines("x"))
    plain = re.sub(r"\\[!-/:-@\[-`{-~]", "", written)
    assert not re.search(r"[<>`~$&]", plain)
    rows = [re.sub(r"\\.", "", line) for line in lines(text) if line.startswith("|")]
    assert [row.count("|") for row in rows] == [3, 3, 3]


@given(SPECIAL)
def test_html_has_no_markup_that_comes_from_elsewhere_and_says_what_is_meant(text: str) -> None:
    blocks = (
        Heading(text),
        Paragraph(text),
        Paragraph(text, loud=True),
        Bullets((text,)),
        Tabular((text, "n"), ((text, f"!{text}"),), text),
        Figure("p", text, b"", ("pdf",)),
        Links(("a #b",)),
    )
    page = Page(document.html(text, blocks))
    assert page.tags <= {
        *("html", "head", "meta", "title", "style", "body", "h2", "p", "ul", "li", "div", "table", "thead", "tr", "th"),
        *("tbody", "td", "strong", "img", "a", "main"),
    }
    body = "".join(page.texts[page.texts.index("\n</style>") if "\n</style>" in page.texts else 0 :])
    shown = " ".join(printable.line(text.strip()).split())
    said = [" ".join(line.split()) for line in body.split("}")[-1].split("\n")]
    assert [line for line in said if line] == [line for line in (*[shown] * 5, "n", *[shown] * 3, "a #b") if line]


def test_a_name_that_is_no_text_on_a_real_terminal_less_command_line(tmp_path: Path) -> None:
    name = tmp_path / UNDECODABLE
    name.write_text("2x2\n\n2\n")
    done = subprocess.run([sys.executable, "-m", "tiler", "show", str(name)], capture_output=True)
    assert done.returncode == 0
    assert rb"bad\xff\x1b[1mname" in done.stdout or b"bad?" in done.stdout
    assert b"\x1b" not in done.stdout + done.stderr
