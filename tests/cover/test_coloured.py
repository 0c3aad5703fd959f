"""Items with colours: what excludes what, and what is wrong with a set of options."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tiler.backends.registry import parse_spec
from tiler.cover.coloured import ColouredItems
from tiler.cover.cover import Cover, error_in
from tiler.cover.csr import Csr
from tiler.errors import BadOption
from tiler.question.question import Goal, Question


def _cover() -> Cover:
    """Options 0 to 3: a x:red, b x:red, b x:blue, b; only the first two and the first and last agree."""
    plain = Cover.from_rows([["a"], ["b"], ["b"], ["b"]])
    given = Csr.of([[0], [0], [0], []])
    return replace(plain, coloured=ColouredItems(("x",), ("red", "blue"), given, np.array([1, 1, 2], np.int32)))


def test_options_that_disagree_exclude_each_other() -> None:
    cover = _cover()
    assert cover.touching(0).tolist() == [True, False, True, False]
    assert cover.touching(2).tolist() == [True, True, True, True]


@pytest.mark.parametrize(
    ("options", "wrong"), [([0, 1], None), ([0, 3], None), ([0, 2], "item x is given the colours red and blue")], ids=str
)
def test_error_in_compares_colours(options: list[int], wrong: str | None) -> None:
    assert error_in(_cover(), options) == wrong


def test_restricting_keeps_the_colours_of_what_is_left() -> None:
    left = _cover().restrict(np.array([True, False, True, True]))
    assert error_in(left, [0, 1]) == "item x is given the colours red and blue"
    assert error_in(left, [0, 2]) is None


def test_a_backend_that_knows_no_colours_refuses_them() -> None:
    with pytest.raises(BadOption, match="it knows no marks of sides, and no colours of items"):
        parse_spec("ilp").solve(_cover(), Question(Goal.DECIDE))
