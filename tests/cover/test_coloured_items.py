"""Items with colours: what excludes what, and what is wrong with a set of options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiler import formats
from tiler.ask.size.estimate import estimate
from tiler.ask.solution_diagram import whole
from tiler.backends.base import Backend
from tiler.backends.frontier import Frontier
from tiler.backends.registry import parse_spec
from tiler.cover import filters
from tiler.cover.board import BoardCover
from tiler.cover.coloured_items import ColouredItems
from tiler.cover.cover import Cover
from tiler.cover.csr import Csr
from tiler.cover.verify import error_in
from tiler.errors import BadOption, InputError
from tiler.model.instance import Instance
from tiler.question.question import Goal, Limits, Question


def _cover() -> Cover:
    """Options 0 to 3: a x:red, b x:red, b x:blue, b; only the first two and the first and last agree."""
    plain = Cover.from_rows([["a"], ["b"], ["b"], ["b"]])
    given = Csr.from_lists([[0], [0], [0], []])
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


class ColourBlind(Backend):
    """It says nothing of colours, as a backend does that was written without a thought of them."""

    name = "colour-blind"


def test_a_backend_that_knows_no_colours_refuses_them() -> None:
    with pytest.raises(BadOption, match="it knows no marks of sides, and no colours of items"):
        ColourBlind().solve(_cover(), Question(Goal.DECIDE))


WORDS = ["a", "b", "x", "x:1", "x:2", "y:1", "y:3"]


@given(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, unique_by=lambda word: word[0]), min_size=1, max_size=6))
def test_rows_with_colours_go_together_where_they_agree(rows: list[list[str]]) -> None:
    cover = Cover.from_rows(rows)
    has_colour = {word[0] for row in rows for word in row if ":" in word}
    primary = {word for row in rows for word in row} & ({"a", "b", "x"} - has_colour)
    for size in range(len(rows) + 1):
        for some in combinations(range(len(rows)), size):
            uses: dict[str, list[str]] = {}
            for word in (word for number in some for word in rows[number]):
                uses.setdefault(word[0], []).append(word)
            agree = all(len(words) == 1 or (len(set(words)) == 1 and ":" in words[0]) for words in uses.values())
            assert (error_in(cover, some) is None) is (agree and primary <= set(uses))


def test_a_word_with_a_colon_inside_is_an_item_with_a_colour() -> None:
    cover = Cover.from_rows([["a", "x:red"], ["b", "x:blue"], ["c", "x"]], items=["x", "c"], secondary=["x"])
    assert cover.items == ("c", "a", "b")
    assert cover.coloured is not None
    assert (cover.coloured.items, cover.coloured.colours) == (("x",), ("red", "blue", "of row 2 alone"))
    assert error_in(cover, (0, 1, 2)) == "item x is given the colours red and blue"
    assert cover.meaning(0) == {"row": 0, "items": ["a", "x:red"]}
    assert Cover.from_rows([[":x", ("x:1",)]]).items == (":x", ("x:1",))


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (["a", "x:"], "row 0: x: has no colour behind the colon"),
        (["a", "x:1", "x:2"], "row 0 has the item x twice"),
        (["x", "x:2"], "row 0 has the item x twice"),
    ],
)
def test_what_colours_cannot_be_is_refused(row: list[str], why: str) -> None:
    with pytest.raises(InputError, match=why):
        Cover.from_rows([row])
    with pytest.raises(InputError, match="items: x:1 has a colour; name the item without it"):
        Cover.from_rows([["a"]], items=["x:1"])


def test_items_that_bind_nothing_are_left_out() -> None:
    assert Cover.from_rows([["a", "x:1"], ["b", "x:1"], ["b", "y:2"]]).coloured is None
    binding = Cover.from_rows([["a", "x:1", "y:1"], ["b", "x:1", "y:2"]]).coloured
    assert binding is not None
    assert binding.items == ("y",)


def test_an_option_that_disagrees_with_all_of_an_item_is_dead() -> None:
    rows = [["a", "x:1"], ["a", "x:2"], ["b", "x:1"], ["b", "x:1", "c"], ["c"]]
    assert filters.dead(Cover.from_rows(rows)).origin.tolist() == [0, 2, 3, 4]
    plain = Cover.from_rows([[word for word in row if ":" not in word] for row in rows])
    assert len(filters.dead(plain)) == len(rows)


def test_probing_rules_out_what_ends_in_two_colours() -> None:
    # The second of two squares beside each other has to fit the first.
    cover = BoardCover.of(formats.inline(["2x1", "1:1 [a b a a]", "1:1 [c b c b]"]))
    laid = filters.probe(cover)
    assert 0 < len(laid) < len(filters.probe(replace(cover, coloured=None)))
    count = Question(Goal.COUNT)
    assert parse_spec("dlx").solve(laid, count).count == parse_spec("dlx").solve(cover, count).count


ASKED: dict[str, Callable[[Instance], object]] = {
    "estimate": lambda instance: estimate(Frontier(), instance),
    "whole": lambda instance: whole(instance, Limits()),
}


@pytest.mark.parametrize("asked", ASKED)
def test_states_are_not_asked_for_where_the_frontier_knows_no_colours(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Frontier, "knows_colours", False)
    instance = formats.inline(["2x2", "1 [a b a b]", "1 [a a b b]"])
    with pytest.raises(BadOption, match="knows no marks of sides"):
        ASKED[asked](instance)
