"""Tables: aligned, as wide as they need to be or as they may, without colours where nobody sees them, and without markup."""

from __future__ import annotations

import pytest

from tiler.render import table
from tiler.render.table import RedEntry

ROWS = [("dlx:order=first", "1"), ("fila", RedEntry("20"))]


def test_what_is_not_for_a_terminal_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.setenv(name, "1")
    assert table.draw(ROWS) == "dlx:order=first   1\nfila             20"


def test_loud_entries_are_red_on_a_terminal() -> None:
    assert table.draw(ROWS, colour=True).endswith("\x1b[1;31m20\x1b[0m")


def test_a_text_is_broken_where_there_is_no_room_and_a_number_is_not() -> None:
    assert table.draw(ROWS, ("solver", "solved"), width=16).split("\n") == [
        "solver    solved",
        "dlx:orde       1",
        "r=first",
        "fila          20",
    ]


def test_options_of_a_solver_are_broken_after_a_comma() -> None:
    spec = "sat:engine=cadical195,encoding=amk-seqcounter,cell=at-least"
    assert table.draw([(spec, "48")], width=44).split("\n") == [
        "sat:engine=cadical195,                    48",
        "encoding=amk-seqcounter,cell=at-least",
    ]
    assert table.draw([("a,bcdefghij", "1")], width=9).split("\n") == ["a,bcde  1", "fghij"]


def test_any_width_without_a_limit() -> None:
    wide = [("x", *["1234567"] * 99)]
    assert table.draw(wide) == "x" + "  1234567" * 99


@pytest.mark.parametrize("entry", ["[red]x[/red]", ":smile:", "\\[b]", "https://a.b/c"])
def test_entries_are_shown_as_they_are(entry: str) -> None:
    assert table.draw([(entry, entry)], (entry, "n")) == f"{entry}  {'n':>{len(entry)}}\n{entry}  {entry}"


def test_all_texts() -> None:
    assert table.draw([("a", "long", "1"), ("b", "", "22")], texts=2) == "a  long   1\nb        22"
    assert table.draw([]) == ""
