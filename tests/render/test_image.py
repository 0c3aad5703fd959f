"""Tilings as PNG and PDF."""

from __future__ import annotations

import io

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.model.lattices import CUBIC
from tiler.question.question import Goal, Question
from tiler.render import cell_outlines, cells, gallery, image

CASES = {
    "plane": (formats.inline(["4x3", "3L"]), "backtracking"),
    "holes": (formats.parse("xxxx\nx..x\nxxxo\n\n2\n3I\n"), "backtracking"),
    "soma": (formats.inline(["3x3x3", "1:3L", "1:4L", "1:4S", "1:4T", "1:4branch", "1:4left", "1:4right"]), "backtracking"),
    "stairs": (formats.parse("xxx\nxxx\nxxx\n-\nxx.\nx..\n...\n-\nx..\n...\n...\n\n1\n2\n"), "backtracking"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", image.FORMATS)
def test_pictures(name: str, form: str) -> None:
    instance, solver = CASES[name]
    solution = solve(instance, solver).solutions[0]
    picture = image.draw(instance, solution, form)
    assert picture.startswith({"png": b"\x89PNG", "pdf": b"%PDF"}[form])
    assert image.draw(instance, solution, form) == picture


def pixels(picture: bytes) -> dict[str, int]:
    """How often each colour occurs."""
    from collections import Counter

    import matplotlib.image

    array = (matplotlib.image.imread(io.BytesIO(picture))[:, :, :3] * 255).round().astype(int)
    return Counter(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in array.reshape(-1, 3).tolist())


def test_every_tile_shows_as_much_as_it_covers() -> None:
    from tiler.render import colours

    instance = formats.inline(["6x2", "2:2", "1:4L", "1:4J"])
    solution = solve(instance).solutions[0]
    found = pixels(image.draw(instance, solution))
    fills = [colours.fill(number) for number in colours.assign(instance.lattice, solution)]
    sizes = {fill: sum(len(p.cells) for p, f in zip(solution, fills, strict=True) if f == fill) for fill in fills}
    cell = sum(found[fill] for fill in sizes) / 12
    for fill, size in sizes.items():
        assert found[fill] == pytest.approx(size * cell, rel=0.1)


def test_the_isometric_view_is_not_mirrored() -> None:
    """Of three cubes in a row along the columns, the last is the rightmost and lowest."""
    instance = formats.parse("xxx\nx..\n-\nx..\n...\n\n1\n")
    away = {"column": (0, 0, 2), "row": (0, 2, 0), "up": (1, 0, 0)}
    points = {name: cells.isometric(cells.middle(CUBIC, cell), 1.0) for name, cell in away.items()}
    assert points["column"][0] > 0
    assert points["column"][1] > 0
    assert points["row"][0] < 0
    assert points["row"][1] > 0
    assert points["up"][1] < 0
    assert image.draw(instance, ()).startswith(b"\x89PNG")


def test_a_large_board_is_a_picture_of_bounded_size() -> None:
    import matplotlib.image

    instance = formats.inline(["100x60", "1"])
    high, wide, _ = matplotlib.image.imread(io.BytesIO(image.draw(instance, ()))).shape
    assert max(high, wide) <= 2000


def test_pages_of_many_tilings_outline_each_form_once(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = formats.inline(["4x4", "1:4L", "1:4I", "2:4T"], reflections=True)
    found = solve(instance, "dlx", Question(Goal.ENUMERATE)).solutions
    made: list[object] = []
    outline = cell_outlines.outline
    monkeypatch.setattr(cell_outlines, "outline", lambda lattice, form: made.append(form) or outline(lattice, form))
    cells._outlined.cache_clear()
    gallery.draw(instance, found, "pdf")
    turned = sum(len(instance.variants(tile)) for tile in instance.tiles)
    assert len(made) == len(set(made)) <= turned < sum(map(len, found))
