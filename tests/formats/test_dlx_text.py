"""Knuth's text: general exact covers read and written, against a search of a few lines that knows the text alone."""

from __future__ import annotations

import re

import pytest
from brute_force import as_tiling, tilings
from hypothesis import given, settings
from hypothesis import strategies as st
from knuth import exact_covers
from strategies import instances

from tiler.backends.registry import parse_spec
from tiler.cover.board import BoardCover
from tiler.cover.cover import Cover, RowCover
from tiler.cover.verify import error_in
from tiler.errors import InputError
from tiler.formats import dlx
from tiler.model.instance import Instance
from tiler.question.question import Goal, Question

ALL = Question(Goal.ENUMERATE)
KNUTH = """\
| the example in his paper
a b c d e f g
c e
a d g

  b c f
| in between
a d f
b g
d e g
"""


def solutions(cover: Cover) -> list[list[int]]:
    """All solutions as sorted numbers of rows, sorted."""
    found = [cover.shown(options).tolist() for options in parse_spec("dlx").solve(cover, ALL).solutions]
    assert [error_in(cover, options) for options in found] == [None] * len(found)
    return sorted(found)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Items with multiplicities, secondary ones, some with colours, and options of which some have none but secondary items."""
    once, several, secondary = "abcd"[: draw(st.integers(0, 4))], "MN"[: draw(st.integers(0, 2))], "xy"[: draw(st.integers(0, 2))]
    bounds = st.sampled_from(["", "0:1|", "1|", "1:1|", "2|", "0:2|", "1:2|", "2:3|", "0:9|", "1:9|"])
    primary = [*(draw(st.sampled_from(["", "0:1|", "1|"])) + name for name in once), *(draw(bounds) + name for name in several)]
    if not primary:
        primary = ["z"]
    option = st.lists(st.sampled_from([*once, *secondary, *primary[-1:][0][-1:]]), unique=True, min_size=1, max_size=3)
    counted = st.tuples(option, st.sampled_from([[], *([name] for name in several)])).map(
        lambda both: list(dict.fromkeys([*(name for name in both[0] if name not in several), *both[1]]))
    )
    lines = draw(st.lists(counted.filter(bool), max_size=8))
    if draw(st.booleans()):
        colour = st.sampled_from(["", ":1", ":2", ":z"])
        lines = [[name + draw(colour) if name in secondary else name for name in line] for line in lines]
    return "\n".join([" ".join([*primary, "|", *secondary]), *map(" ".join, lines)]) + "\n"


@settings(max_examples=200)
@given(texts())
def test_a_text_has_the_solutions_it_says(text: str) -> None:
    assert solutions(dlx.parse(text)) == sorted(map(sorted, exact_covers(text)))


@settings(max_examples=100)
@given(texts())
def test_what_is_written_is_read_as_the_same(text: str) -> None:
    cover = dlx.parse(text)
    written = "\n".join(dlx.write(cover))
    again = dlx.parse(written)
    assert solutions(again) == solutions(cover) == sorted(map(sorted, exact_covers(written)))


@settings(max_examples=60)
@given(instances(max_cells=6, words=False))
def test_a_board_that_is_written_has_its_tilings_when_read(instance: Instance) -> None:
    cover = BoardCover.of(instance)
    again = dlx.parse("\n".join(dlx.write(cover)))
    assert {as_tiling(cover.placements(options)) for options in solutions(again)} == tilings(instance)


@st.composite
def rows(draw: st.DrawFn) -> RowCover:
    """Rows of items that are no names, with tiles."""
    items = [(0, 0), "a|b", "a b", 3.5][: draw(st.integers(1, 4))]
    options = draw(st.lists(st.lists(st.sampled_from(items), unique=True, min_size=1), min_size=1, max_size=6))
    keys = draw(st.lists(st.sampled_from(["x", "#1", None]), min_size=len(options), max_size=len(options)))
    bounds = draw(st.dictionaries(st.sampled_from(keys), st.tuples(st.integers(0, 2), st.integers(0, 2))))
    return Cover.from_rows(
        options,
        secondary=draw(st.lists(st.sampled_from([item for row in options for item in row]), unique=True)),
        tile_of=keys,
        at_least={key: low for key, (low, _) in bounds.items()},
        at_most={key: max(1, low + more) for key, (low, more) in bounds.items()},
    )


@settings(max_examples=150)
@given(rows())
def test_rows_of_anything_are_written(cover: RowCover) -> None:
    written = "\n".join(dlx.write(cover, ["a title\nwith a break"]))
    assert sorted(map(sorted, exact_covers(written))) == solutions(cover)
    assert solutions(dlx.parse(written)) == solutions(cover)


def test_knuths_example() -> None:
    cover = dlx.parse(KNUTH)
    assert cover.items == tuple("abcdefg")
    assert cover.rows[2] == ("b", "c", "f")
    assert solutions(cover) == [[0, 3, 4]]


def test_colours_are_letters_where_their_names_are_longer() -> None:
    cover = Cover.from_rows([["a", "x:red"], ["b", "x:red"], ["b", "x:blue", "y"], ["y", "x"]])
    assert list(dlx.write(cover)) == [
        "| colour 1 is red",
        "| colour 2 is blue",
        "a b y | x",
        "a x:1",
        "b x:1",
        "b x:2 y",
        "y x",
    ]
    assert list(dlx.write(dlx.parse("a | x\na x:A\na x\n"))) == ["a | x", "a x:A", "a x"]


def test_an_item_without_options_is_never_covered() -> None:
    assert solutions(dlx.parse("a b\na\n")) == []
    assert "no option covers b" in str(dlx.parse("a b\na\n").refusal())
    assert solutions(dlx.parse("0:1|a | b\n")) == [[]]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "x.dlx: there is no line with items"),
        ("| only\n\n", "x.dlx: there is no line with items"),
        ("a | b | c\n", "x.dlx:1: the line of items has | twice"),
        ("a | 1:2|b\n", "x.dlx:1: the secondary item 'b' has a multiplicity"),
        ("a b a\n", "x.dlx:1: the item 'a' is named twice"),
        ("a b:c\n", "x.dlx:1: 'b:c' is no item; write it as NAME, TIMES|NAME or LEAST:MOST|NAME"),
        ("a 2|\n", "x.dlx:1: '2|' is no item"),
        ("x|a\n", "x.dlx:1: 'x' is no multiplicity"),
        ("1:|a\n", "x.dlx:1: '1:' is no multiplicity"),
        ("3:2|a\n", "x.dlx:1: the multiplicity '3:2' is not a range"),
        ("0|a\n", "x.dlx:1: the multiplicity '0' is not a range"),
        ("| b\na b | x\na:1 x\n", "x.dlx:3: 'a:1' has a colour; only secondary items can"),
        ("a | x\na x:\n", "x.dlx:2: 'x:' has no colour behind the colon"),
        ("a | x\na y:1\n", "x.dlx:2: the item 'y' is not in the line of items"),
        ("a | x\na x:1 x:2\n", "x.dlx:2: the item 'x' is in this option twice"),
        ("a\na b\n", "x.dlx:2: the item 'b' is not in the line of items"),
        ("a b\na b a\n", "x.dlx:2: the item 'a' is in this option twice"),
        ("2|a 2|b c\na b\na c\nb c\na c\nb c\n", "x.dlx:2: an option with two items that may be covered several times"),
        ("\x1b[31m\na\n", r"x.dlx:2: the item 'a' is not in the line of items"),
    ],
)
def test_what_is_no_exact_cover_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        dlx.parse(text, source="x.dlx")
    assert str(caught.value).startswith(why)
    assert "\n" not in str(caught.value)


@given(
    st.integers(3, 5).flatmap(
        lambda n: st.lists(st.tuples(st.sets(st.integers(0, n - 1), min_size=1), st.integers(0, 3)), max_size=9)
    )
)
@settings(max_examples=100)
def test_the_cheapest_solution(options: list[tuple[set[int], int]]) -> None:
    """As in DLX5: costs of an option add up, wherever they stand in it."""
    items = sorted({item for some, _ in options for item in some} | {0})
    plain = [" ".join(f"i{item}" for item in sorted(some)) for some, _ in options]
    priced = [
        " ".join(f"i{item}|{cost - cost // 2 if n == 0 else cost // 2 if n == 1 else 0}" for n, item in enumerate(sorted(some)))
        if len(some) > 1
        else f"i{min(some)}|{cost}"
        for some, cost in options
    ]
    head = " ".join(f"i{item}" for item in items)
    prices = [sum(options[number][1] for number in some) for some in exact_covers("\n".join([head, *plain]))]
    cover = dlx.parse("\n".join([head, *priced]))
    again = dlx.parse("\n".join(dlx.write(cover)))
    for each in (cover, again):
        best = parse_spec("dlx").solve(each, Question(Goal.OPTIMISE))
        assert best.value == (-min(prices) if prices else None)
    assert len(solutions(cover)) == len(prices)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a b\na|x b", "'a|x': behind | stands a cost, a whole number of at most 9 digits"),
        ("a b\na|999999999 b|999999999", "the option costs 1,999,999,998; the most is "),
        ("a 1:2|b\na b|1", "an option with a cost, and with 'b', which may be covered several times"),
        ("a b\nc|3 b", "the item 'c' is not in the line of items"),
    ],
)
def test_wrong_costs(text: str, why: str) -> None:
    with pytest.raises(InputError, match=re.escape(why)) as caught:
        dlx.parse(text)
    assert caught.value.line == 2


def test_a_weight_is_for_the_options_with_its_item() -> None:
    cover = dlx.parse("0:2|a 0:2|b c d\na c\nb d\nb c\na d\n")
    weighed = dlx.weighed(cover, ["b 5", " a -2 "])
    assert dict(zip(weighed.names, weighed.weights.tolist(), strict=True)) == {"a": -2, "b": 5}
    for wrong in ("c 1", "b", "b x", f"b {dlx.MAX_WEIGHT + 1}"):
        with pytest.raises(InputError, match="weight"):
            dlx.weighed(cover, [wrong])
