"""The solutions of a text in the format of Knuth's DLX3, and of DLX2 with colours, found without any of Tiler's code."""

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
    options = []
    for line in lines[1:]:
        names = dict(word.split(":") if ":" in word else (word, "") for word in line.split())
        assert secondary.issuperset(name for name, colour in names.items() if colour)
        assert all(len(colour) <= 1 for colour in names.values())
        if not secondary.issuperset(names):
            options.append(names)

    def goes(names: dict[str, str], used: Counter[str], colours: dict[str, str]) -> bool:
        return all(
            colour == colours[name] if colour and colours.get(name) else used[name] < most[name] for name, colour in names.items()
        )

    def extend(start: int, used: Counter[str], colours: dict[str, str], chosen: set[int]) -> Iterator[set[int]]:
        if all(used[name] >= number for name, number in least.items()):
            yield set(chosen)
        for number in range(start, len(options)):
            if goes(options[number], used, colours):
                yield from extend(number + 1, used + Counter(list(options[number])), colours | options[number], chosen | {number})

    return extend(0, Counter(), {}, set())
