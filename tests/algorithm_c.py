"""Exact cover with colours in readable Python: what a search by fewest options must do, node for node.

Source: D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, Algorithm C with the MRV heuristic of exercise 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence


class AlgorithmC:
    """The solutions of rows of items, `x:1` being the item x with the colour 1; `nodes` counts the rows tried so far."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self.rows = [dict(word.split(":") if ":" in word else (word, "") for word in row) for row in rows]
        coloured = {name for row in self.rows for name, colour in row.items() if colour}
        self.primary = [name for name in dict.fromkeys(name for row in self.rows for name in row) if name not in coloured]
        self.nodes = 0

    def solutions(self) -> Iterator[tuple[int, ...]]:
        """All of them, in the order found."""
        return self._below(self.primary, list(range(len(self.rows))), ())

    def _below(self, open_: list[str], left: list[int], chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not open_:
            yield chosen
            return
        item = min(open_, key=lambda name: sum(name in self.rows[number] for number in left))
        for number in [number for number in left if item in self.rows[number]]:
            self.nodes += 1
            row = self.rows[number]
            still = [name for name in open_ if name not in row]
            yield from self._below(
                still, [other for other in left if self._go_together(row, self.rows[other])], (*chosen, number)
            )

    def _go_together(self, one: dict[str, str], other: dict[str, str]) -> bool:
        return all(colour and colour == other[name] for name, colour in one.items() if name in other)


def macmahon(height: int, width: int, colours: int = 3, border: int = 0) -> list[list[str]]:
    """MacMahon's squares with a colour on each side, every one used once, on a board whose border has one colour: a row for each
    square, turn and place. Sides that touch have the same colour."""
    turns = {}
    for number in range(colours**4):
        sides = tuple(number // colours**k % colours for k in range(4))
        every = sorted({sides[k:] + sides[:k] for k in range(4)})
        turns[every[0]] = every
    rows = []
    for square, every in sorted(turns.items()):
        for north, east, south, west in every:
            for r in range(height):
                for c in range(width):
                    sides = [(f"h{r},{c}", north, r == 0), (f"h{r + 1},{c}", south, r == height - 1)]
                    sides += [(f"v{r},{c}", west, c == 0), (f"v{r},{c + 1}", east, c == width - 1)]
                    if all(colour == border for _, colour, is_outer in sides if is_outer):
                        inner = [f"{side}:{colour}" for side, colour, is_outer in sides if not is_outer]
                        rows.append([f"square{square}", f"{r},{c}", *inner])
    return rows
