"""Calendar puzzles: the pieces cover all but a month and a day, or all but a month, a day and a weekday."""

from __future__ import annotations

from collections.abc import Iterator

from corpora.described import described
from tiler import formats
from tiler.model.instance import Instance

DRAGON_FJORD = "A-Puzzle-A-Day, by DragonFjord; the board is described at https://heather.cafe/posts/calendar-puzzle"
DAILY = "a puzzle on sale; board and pieces as at https://www.royvanrijn.com/blog/2022/07/daily-calendar-puzzle-solutions/"

MONTHS_AND_DAYS = """
# labels: jan feb mar apr may jun
# labels: jul aug sep oct nov dec
# labels: 1 2 3 4 5 6 7
# labels: 8 9 10 11 12 13 14
# labels: 15 16 17 18 19 20 21
# labels: 22 23 24 25 26 27 28
# labels: 29 30 31{}
# group: month jan..dec
# group: day 1..31
{}
oooooo.
oooooo.
ooooooo
ooooooo
ooooooo
ooooooo
"""
WITHOUT_WEEKDAYS = MONTHS_AND_DAYS.format("", "") + "ooo....\n"
WITH_WEEKDAYS = (
    MONTHS_AND_DAYS.format(" sun mon tue wed\n# labels: thu fri sat", "# group: weekday sun..sat\n") + "ooooooo\n....ooo\n"
)


def puzzle(name: str, title: str, source: str, board: str, pieces: str) -> Instance:
    """An instance with each of these pieces once, which may be turned over."""
    tiles = "\n".join(f"1:{piece}" for piece in pieces.split())
    instance = formats.parse(f"# reflections: yes{board}\n{tiles}\n")
    return described(instance, f"calendars/{name}", title, source, ("calendars",))


def calendars() -> Iterator[Instance]:
    """Those that are well known."""
    yield puzzle("a-puzzle-a-day", "A-Puzzle-A-Day", DRAGON_FJORD, WITHOUT_WEEKDAYS, "3x2 L N P U V Y Z")
    yield puzzle("weekdays", "The daily calendar puzzle with weekdays", DAILY, WITH_WEEKDAYS, "L N P T U V Z 4I 4L 4S")
