"""Cells that stay open by name, and groups of which one cell each stays open."""

from __future__ import annotations

from dataclasses import replace

import pytest
import verified
from brute_force import tilings

import tiler
from tiler import formats
from tiler.errors import InputError
from tiler.model.instance import Instance
from tiler.model.open_cells import cells_called
from tiler.model.tile import Placement

HEAD = "# reflections: yes\n# labels: a b\n# labels: 1 2 3\n"
BOARD = "\noox\nxxx\nooo\n\n1:3L\n1:4S\n1:4L\n1:3I\n1:5P\n"
CALENDAR = f"{HEAD}# group: letter a..b\n# group: number 1 2 2,2\n{BOARD}"


def calendar() -> Instance:
    return formats.parse(CALENDAR)


def test_labels_and_groups_are_read() -> None:
    instance = calendar()
    assert dict(instance.labels) == {(0, 0): "a", (0, 1): "b", (2, 0): "1", (2, 1): "2", (2, 2): "3"}
    assert [(each.name, sorted(each.cells)) for each in instance.groups] == [
        ("letter", [(0, 0), (0, 1)]),
        ("number", [(2, 0), (2, 1), (2, 2)]),
    ]
    assert instance.stay_open == (2, 2)


def test_they_are_written_as_they_were() -> None:
    for write in (formats.text.write, formats.json.write):
        again = formats.parse(write(calendar()))
        assert (again, again.labels) == (calendar(), calendar().labels)
    assert "# group: number 1..3\n" in formats.text.write(calendar())


def test_labels_of_cells_that_must_be_covered() -> None:
    content = "# labels: a b -\n# labels: 1 - 3\n\nxxx\nxox\n\n5P\n"
    instance = formats.parse(content)
    assert dict(instance.labels) == {(0, 0): "a", (0, 1): "b", (1, 0): "1", (1, 2): "3"}
    assert formats.text.write(instance) == content
    left = calendar().with_open("a 3")
    for write in (formats.text.write, formats.json.write):
        assert formats.parse(write(left)).labels == left.labels == calendar().labels


def test_one_cell_of_each_group_stays_open() -> None:
    found = tilings(calendar())
    assert tiler.count(calendar()) == len(found) > 0
    without = tilings(replace(calendar(), groups=(), open=(2, 2)))
    assert len(without) > len(found)
    refused = [each for each in without if each not in found]
    errors = {verified.error_in(calendar(), [Placement(name, cells) for name, cells in tiling]) for tiling in refused}
    assert errors <= {f"{number} cells of the group letter stay open, not 1" for number in (0, 2)}


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (f"{HEAD}# group: month a", "line 4: group: the cell b may stay open, but is in no group, nor are 3 others"),
        (f"{HEAD}# group: month a..3 b", "line 4: group: month names a cell twice"),
        (f"{HEAD}# group: month a..3\n# group: day b", "group: day has the cell b, which another group has too"),
        (f"{HEAD}# group: month a..3\n# group: month b", "group: two groups have the same name"),
        (f"{HEAD}# group: month 3..a", "line 4: 3..a: a comes before 3"),
        (f"{HEAD}# group: month 4", "line 4: no cell is called 4; there are a b 1 2 3"),
        (f"{HEAD}# group: month", "line 4: group: month has no cells"),
        (f"{HEAD}# group: month 0,2", "group: month has the cell 0,2, which must not stay open"),
        (f"{HEAD}# open: 2\n# group: month a..3", "open: one cell of each group stays open"),
        ("# labels: a b", "line 1: labels: there are 2 labels, but 5 cells that may stay open"),
        ("# labels: a b A 3 4", "line 1: labels: two cells are called A"),
        ("# labels: a b 3 4 -\n# group: all a..4", "line 2: group: the cell 2,2 may stay open, but is in no group"),
        ("# labels: a b 1,2 3 4", "line 1: labels: '1,2' is no label"),
        ("# group: month a", "line 1: no cell is called a; the problem has no labels"),
    ],
)
def test_what_is_no_group_is_refused_with_its_line(head: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        formats.parse(f"{head}\n{BOARD}", source="f.txt")
    assert said in str(caught.value).replace("f.txt:", "line ")


def test_groups_count_in_what_is_asked_but_names_do_not() -> None:
    named = formats.parse(CALENDAR.replace("letter", "other").replace(" a b", " c d").replace("a..b", "c..d"))
    assert (named, named.digest) == (calendar(), calendar().digest)
    other = formats.parse(CALENDAR.replace("a..b", "a..1").replace("1 2 2,2", "2 3"))
    assert other != calendar()
    assert other.digest != calendar().digest


def test_commas_between_the_names_of_cells() -> None:
    labels = (((0, 0), "jan"), ((0, 1), "feb"))
    assert cells_called("feb, jan, 4,5", labels) == [(0, 1), (0, 0), (4, 5)]


@pytest.mark.parametrize(("allowed", "right"), [("1..1", False), ("3", True), ("3..4", True), ("4..6", False), ("0..2", False)])
def test_too_few_or_too_many_open_cells_are_found_out(allowed: str, right: bool) -> None:
    instance = replace(tiler.make("2x3", "3I", open=allowed), optional=frozenset(tiler.make("2x3", "3I").board))
    found = verified.error_in(instance, [Placement("3I", frozenset({(0, 0), (1, 0), (2, 0)}))])
    assert (found is None) is right
    assert right or "3 cells stay open, not" in str(found)
