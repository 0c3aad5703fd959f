"""Show how pieces come apart: in words, as a picture of every move, and as a moving picture. Each separation takes one group of
pieces apart, and only the pieces of this group are shown. Pieces that go off are moved until they are clear of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from math import asin, sin

from tiler import printable
from tiler.apps.puzzles.apart.disassembly import Disassembly, Slide
from tiler.errors import BadOption
from tiler.model.instance import Instance
from tiler.model.lattice import Cell, Lattice, move
from tiler.model.tile import Placement
from tiler.render import drawing, lettering, pages, scene, solid
from tiler.render.colours import PieceColours
from tiler.render.scene import Page, Panel
from tiler.render.viewer import Stage

MOST_FRAMES = 2000  #: the most frames of a moving picture
_SHORT, _LONG = 120, 900  # milliseconds for which a step is shown, and for which the last step of a move is shown
_WAYS = {2: (("down", "up"), ("right", "left")), 3: (("up", "down"), ("forwards", "back"), ("right", "left"))}


def names_of(tiling: Sequence[Placement]) -> list[str]:
    """The names of the pieces; if there are several copies of a tile, each has a number.

    >>> names_of([Placement("X", frozenset()), Placement("I", frozenset()), Placement("X", frozenset())])
    ['X #1', 'I', 'X #2']
    """
    uses, seen = Counter(placement.tile for placement in tiling), Counter[str]()
    names = []
    for placement in tiling:
        seen[placement.tile] += 1
        name = printable.line(placement.tile)
        names.append(f"{name} #{seen[placement.tile]}" if uses[placement.tile] > 1 else name)
    return names


def called(lattice: Lattice, tiling: Sequence[Placement]) -> list[str]:
    """What the pieces are called in words: their names, but of burrs, whose names are numbers, letters. A text drawing has the
    same letters."""
    names = names_of(tiling)
    has_numbers = lattice.dimension == 3 and any(placement.tile.isdecimal() for placement in tiling)
    return lettering.assign_letters(lattice, tiling) if has_numbers else names


def in_words(slide: Slide, names: Sequence[str]) -> str:
    """A move, such as `X and I #2: right 3`.

    >>> in_words(Slide((0, 2), (0, -3)), ["X", "I #1", "I #2"]), in_words(Slide((1,), (1, 0), off=True), ["X", "I #1", "I #2"])
    ('X and I #2: left 3', 'I #1: down and off')
    """
    ways = [
        f"{_WAYS[len(slide.vector)][axis][by < 0]} {'and off' if slide.off else abs(by)}"
        for axis, by in enumerate(slide.vector)
        if by
    ]
    return f"{listed([names[piece] for piece in slide.pieces])}: {', '.join(ways)}"


def listed(names: Sequence[str]) -> str:
    """Names as a list in a sentence, such as `X, I and L`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def stages(
    instance: Instance, tiling: Sequence[Placement], disassembly: Disassembly, *, single_steps: bool = False
) -> list[Stage]:
    """A stage for each move, or with `single_steps` for each step of a move. The first stage shows the assembly. A stage comes
    before each separation of other pieces than those that were shown last."""
    names, own = called(instance.lattice, tiling), names_of(tiling)
    # Letters are explained once.
    meant = "" if names == own else ": " + ", ".join(f"{letter} {name}" for letter, name in sorted(zip(names, own, strict=True)))
    still = (0,) * len(next(iter(tiling[0].cells)))
    at = dict.fromkeys(range(len(tiling)), still)
    shown = tuple(at)
    made = [Stage(dict(at), f"all together{meant}", 0, is_last=True)]
    number = 0
    for separation in disassembly.separations:
        if separation.pieces != shown:
            shown = separation.pieces
            made.append(Stage({piece: at[piece] for piece in shown}, f"now {listed([names[p] for p in shown])}", 0, is_last=True))
        for slide in separation.slides:
            number += 1
            (axis,) = (axis for axis, by in enumerate(slide.vector) if by)
            far = _clear(tiling, at, slide, shown, axis) if slide.off else abs(slide.vector[axis])
            step = tuple((by > 0) - (by < 0) for by in slide.vector)
            taken = [1] * far if single_steps else [far]
            for turn, times in enumerate(taken, 1):
                for piece in slide.pieces:
                    at[piece] = tuple(a + times * by for a, by in zip(at[piece], step, strict=True))
                said = f"{number}. {in_words(slide, names)}"
                made.append(Stage({piece: at[piece] for piece in shown}, said, number, turn == len(taken), slide.off))
        shown = separation.left if len(separation.left) > 1 else ()
    return made


def _clear(tiling: Sequence[Placement], at: dict[int, Cell], slide: Slide, shown: Sequence[int], axis: int) -> int:
    """The number of steps until the pieces that go off lie beyond all other pieces that are shown, with a cell between."""
    positions = {piece: [cell[axis] + at[piece][axis] for cell in tiling[piece].cells] for piece in shown}
    going = [a for piece in slide.pieces for a in positions[piece]]
    others = [a for piece in shown if piece not in slide.pieces for a in positions[piece]]
    return 2 + (max(others) - min(going) if slide.vector[axis] > 0 else max(going) - min(others))


def _panels(instance: Instance, tiling: Sequence[Placement], some: Sequence[Stage], *, leaving: bool) -> list[Panel]:
    """A panel for each stage, all of the same size and with the same origin. With `leaving` pieces that go
    off leave the picture, so that the others fill it."""
    fills, letters = PieceColours.of(instance, [tiling], None).pieces[0], called(instance.lattice, tiling)
    drawn = []
    for stage in some:
        placed = [Placement(tiling[piece].tile, move(tiling[piece].cells, by)) for piece, by in sorted(stage.moved.items())]
        marks = drawing.of_pieces(instance.lattice, placed, [fills[piece] for piece in sorted(stage.moved)])
        if letters != names_of(tiling):
            marks += solid.lettered(
                instance.lattice, [each.cells for each in placed], [letters[piece] for piece in sorted(stage.moved)]
            )
        drawn.append((stage, marks))
    spots = [spot for stage, marks in drawn if not (stage.is_off and leaving) for mark in marks for spot in scene.spots_of(mark)]
    return [scene.fitted(stage.said, marks, spots) for stage, marks in drawn]


def page(instance: Instance, tiling: Sequence[Placement], disassembly: Disassembly) -> Page:
    """A picture of the assembly and of each move."""
    return pages.album(_panels(instance, tiling, stages(instance, tiling, disassembly), leaving=False))


def moving_picture(instance: Instance, tiling: Sequence[Placement], disassembly: Disassembly) -> bytes:
    """A GIF in which the pieces come apart, step by step, again and again. BadOption if it would have more than `MOST_FRAMES`."""
    from tiler.render import gif  # Pillow takes a tenth of a second to import.

    first, *others = stages(instance, tiling, disassembly, single_steps=True)
    steps = [first._replace(said="all together"), *others]
    if len(steps) > MOST_FRAMES:
        raise BadOption(f"a moving picture of {len(steps):,} steps is too long: {MOST_FRAMES:,} at most; an HTML page shows more")
    panels = [*_with_words(_panels(instance, tiling, steps, leaving=True))]
    return gif.moving(panels, _times(steps))


def _times(steps: Sequence[Stage]) -> list[int]:
    """For how many milliseconds each step is shown: pieces start and stop slowly, and rest after each move."""
    times = []
    for _, run in groupby(steps, key=lambda step: step.move):
        far = len(list(run))
        # When a piece has gone a share of its way, if the way is 3t^2 - 2t^3.
        begun = [0.5 - sin(asin(1 - 2 * k / far) / 3) for k in range(far + 1)]
        taken = [max(40, round(far * _SHORT * (end - start))) for start, end in pairwise(begun)]
        times += [*taken[:-1], _LONG]
    return times


def _with_words(panels: Sequence[Panel]) -> Iterator[Panel]:
    """The panels, each with its heading in words below the picture."""
    for panel in panels:
        # Pieces that leave the picture go behind the words.
        box = [(-99.0, panel.height + 4), (panel.width + 99, panel.height + 4)]
        ground = scene.Patch([[*box, *((x, y + 2 * pages.HEADING) for x, y in box[::-1])]], "#ffffff")
        said = scene.Label((panel.width / 2, panel.height + pages.HEADING), panel.heading, 11.0, centred=True)
        yield Panel("", panel.width, panel.height + 1.5 * pages.HEADING, [*panel.marks, ground, said])
