"""The solutions of a text in the format of Knuth's DLX3, found without any of Tiler's code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator


def exact_covers(text: str) -> Iterator[set[int]]:
    """The solutions, by their options' numbers, those without a primary item not counted among them."""
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    least: dict[str, int] = {}
    most: dict[str, int] = {}
    secondary: set[str] = set()
    for word in lines[0].split():
        if word == "|":
            secondary.add(word)
            continue
        bounds, _, name = word.rpartition("|")
        low, _, high = (bounds or "1").rpartition(":")
        assert int(low or 0) <= int(high) > 0
        least[name], most[name] = 0 if secondary else int(low or high), int(high)
        assert len(name) <= 8
        if secondary:
            secondary.add(name)
    options = [line.split() for line in lines[1:] if not secondary.issuperset(line.split())]

    def extend(start: int, used: Counter[str], chosen: set[int]) -> Iterator[set[int]]:
        if all(used[name] >= number for name, number in least.items()):
            yield set(chosen)
        for number in range(start, len(options)):
            if all(used[item] < most[item] for item in options[number]):
                yield from extend(number + 1, used + Counter(options[number]), chosen | {number})

    return extend(0, Counter(), set())
