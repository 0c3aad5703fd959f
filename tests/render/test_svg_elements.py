"""What SVG documents are made of: what comes out is XML and says what went in; areas of any shape; pictures side by side."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler import printable
from tiler.render import pages
from tiler.render import svg_elements as xml

NAMESPACE = "{http://www.w3.org/2000/svg}"


@given(st.text())
def test_foreign_text_stays_text(text: str) -> None:
    parts = [xml.element("g", xml.titled(text) + xml.text(text, 11, x=1), class_=text)]
    root = ElementTree.fromstring(xml.document(10, 20.5, text, parts, 2))
    assert [root.get(key) for key in ("width", "height", "viewBox")] == ["20", "41", "0 0 10 20.5"]
    title, _, group = root
    assert (title.text or "") == printable.line(text) == group.get("class")
    assert [(each.tag, each.text or "") for each in group] == [
        (f"{NAMESPACE}title", printable.line(text)),
        (f"{NAMESPACE}text", printable.line(text)),
    ]


def test_outlines_of_any_polygon() -> None:
    square, triangle = [(0, 0), (4, 0), (4, 4), (0, 4)], [(1.0, 2.0), (3.0, 2.0), (2.0, 0.2679)]
    assert xml.outline([square, triangle]) == "M0 0H4V4H0ZM1 2H3L2 0.268Z"


@given(st.floats(-1e9, 1e9))
def test_numbers_are_near_and_short(value: float) -> None:
    text = xml.number(value)
    assert float(text) == pytest.approx(value, abs=0.5 if abs(value) >= 1e5 else 0.0005001)
    assert "e" not in text
    assert len(text.partition(".")[2]) <= 3


@pytest.mark.parametrize(("count", "wide", "high", "columns"), [(1, 5, 5, 1), (6, 1, 1, 3), (4, 1, 10, 4), (4, 20, 1, 1)])
def test_pictures_side_by_side_fill_a_frame(count: int, wide: float, high: float, columns: int) -> None:
    assert pages.abreast(count, wide, high) == columns
