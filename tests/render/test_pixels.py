"""Pictures of very many cells, made of pixels: here of few cells, with a lower limit."""

from __future__ import annotations

import base64
import io
import re

import numpy as np
import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.model.instance import Instance
from tiler.model.tile import Placement
from tiler.render import gallery, pixels
from tiler.render.colours import parts
from tiler.render.options import USUAL
from tiler.render.scene import INK

Image = pytest.importorskip("PIL.Image")


@pytest.fixture
def tiled(monkeypatch: pytest.MonkeyPatch) -> tuple[Instance, tuple[Placement, ...]]:
    """A tiled board in the form of an L, as if it had very many cells."""
    monkeypatch.setattr(pixels, "_MANY", 15)
    instance = formats.inline(["xxxxxx/xxxxxx/xx..../xx..../xx....", "3L"])
    (tiling,) = solve(instance, "backtracking").solutions
    return instance, tiling


def test_a_piece_has_one_colour_and_a_border(tiled: tuple[Instance, tuple[Placement, ...]]) -> None:
    instance, tiling = tiled
    image = Image.open(io.BytesIO(gallery.draw(instance, [tiling], "png"))).convert("RGB")
    shown = np.asarray(image)
    side = (len(shown) - 1) // 5
    assert shown.shape == (5 * side + 1, 6 * side + 1, 3)
    ink, owner = parts(INK), {cell: number for number, placed in enumerate(tiling) for cell in placed.cells}
    middles = {cell: tuple(shown[cell[0] * side + side // 2, cell[1] * side + side // 2].tolist()) for cell in owner}
    assert ink not in middles.values()
    for row, column in sorted(owner):
        beside = tuple(shown[row * side + side // 2, (column + 1) * side].tolist())
        is_border = owner[row, column] != owner.get((row, column + 1))
        assert (beside == ink) == is_border
        assert is_border or middles[row, column] == middles[row, column + 1]
    assert tuple(shown[3 * side + side // 2, 3 * side + side // 2].tolist()) == (255, 255, 255)


def test_a_document_has_the_same_picture(tiled: tuple[Instance, tuple[Placement, ...]]) -> None:
    instance, tiling = tiled
    document = gallery.draw(instance, [tiling], "svg").decode()
    (data,) = re.findall(r'href="data:image/png;base64,([^"]*)"', document)
    assert base64.b64decode(data) == pixels.png(instance, tiling)
    wide, high = Image.open(io.BytesIO(base64.b64decode(data))).size
    assert f'<image width="{wide}" height="{high}"' in document


def test_colours_that_are_asked_for_and_the_size(tiled: tuple[Instance, tuple[Placement, ...]]) -> None:
    instance, tiling = tiled
    image = Image.open(io.BytesIO(pixels.png(instance, tiling, USUAL._replace(colours="plain", inches=2.0))))
    # One for all pieces, the border, and the ground.
    assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) == 3
    assert image.info["dpi"][0] == pytest.approx(max(image.size) / 2.0, rel=0.01)


def test_other_pictures_are_drawn_by_outlines(tiled: tuple[Instance, tuple[Placement, ...]]) -> None:
    instance, tiling = tiled
    assert pixels.suits(instance)
    assert not pixels.suits(instance, USUAL._replace(names=True))
    assert not pixels.suits(formats.inline(["4x6", "3L"], wrap="rows"))
    assert not pixels.suits(formats.inline(["3x3x3", "3L"]))
    assert "<path" in gallery.draw(instance, [tiling, tiling], "svg").decode()
