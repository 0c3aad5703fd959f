from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tiler.backends.base import option
from tiler.backends.lister import Lister
from tiler.backends.registry import register
from tiler.cover.cover import Cover


@register
@dataclass(frozen=True)
class Recursive(Lister):
    """Cover the open item with the fewest options left, recursively."""

    name: ClassVar[str] = "recursive"

    last: bool = option(False, "of several such items take the last")

    def solutions(self, cover: Cover) -> Iterator[list[int] | None]:
        members = [set(items) for items in cover.members.lists()]
        tile, upper = cover.tile.tolist(), cover.upper.tolist()
        sign = -1 if self.last else 1

        def below(left: set[int], alive: list[int], chosen: list[int]) -> Iterator[list[int] | None]:
            """Search below a node: `left` items are open, `alive` options can be chosen, `chosen` options are."""
            yield None
            if not left:
                yield chosen
                return
            used = Counter(tile[o] for o in chosen)
            alive = [o for o in alive if used[tile[o]] < upper[tile[o]]]
            item = min(left, key=lambda i: (sum(i in members[o] for o in alive), sign * i))
            for o in alive:
                if item in members[o]:
                    yield from below(left - members[o], [p for p in alive if not members[p] & members[o]], [*chosen, o])

        yield from below(set(range(len(cover.items))), list(range(len(cover))), [])
