"""problems/ is what the script makes, and the thesis corpus is the published table: a digest of each instance is in data/."""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable
from functools import cache
from math import prod
from pathlib import Path
from types import ModuleType

import pytest

from tiler import formats
from tiler.ask.solve import solve
from tiler.backends.sat.tiling import encode
from tiler.bench import corpus
from tiler.cover.board import BoardCover
from tiler.errors import BadOption
from tiler.model.expected import Status
from tiler.model.instance import Instance
from tiler.model.symmetry import group
from tiler.question.question import Goal, Question

ROOT = Path(__file__).resolve().parents[2]
DIGESTS = dict(line.split() for line in (ROOT / "tests/data/thesis-digests.txt").read_text().splitlines())


@cache
def problems() -> dict[str, Instance]:
    """All problems by their paths below the folder, without the endings of the files."""
    paths = sorted((ROOT / "problems").glob("*/*.*"))
    return {f"{path.parent.name}/{path.stem}": formats.read(path) for path in paths}


def at_origin(cells: object) -> list[list[int]]:
    pairs = [tuple(cell) for cell in cells]  # type: ignore[attr-defined]
    top, left = min(row for row, _ in pairs), min(column for _, column in pairs)
    return sorted([row - top, column - left] for row, column in pairs)


def thesis_digest(instance: Instance) -> str:
    """sha256 of a canonical form that uses nothing of geometry.py."""

    def least(shape: object) -> list[list[int]]:
        turned = [list(shape)]  # type: ignore[call-overload]
        turned += [[(row, -column) for row, column in turned[0]]] if instance.reflections else []
        for _ in range(3):
            turned += [[(column, -row) for row, column in cells] for cells in turned]
        return min(map(at_origin, turned))

    form = {
        "board": at_origin(instance.board),
        "tiles": [[least(tile.shape), tile.at_least, tile.at_most] for tile in instance.tiles],
        "reflections": instance.reflections,
        "verdict": instance.about.expected.verdict,
    }
    return hashlib.sha256(json.dumps(form, separators=(",", ":")).encode()).hexdigest()


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    return importlib.import_module("regenerate_problems")


def test_regenerating_changes_nothing(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main(["--check"]) == 0, capsys.readouterr().out


def test_the_thesis_corpus_is_complete() -> None:
    names = [name for name, instance in problems().items() if "thesis" in instance.about.tags]
    assert sorted(names) == sorted(DIGESTS)
    assert len(names) == 204


def test_thesis_instances_are_those_of_the_table() -> None:
    instances = {name: problems()[name] for name in DIGESTS}
    assert {name: thesis_digest(instance) for name, instance in instances.items()} == DIGESTS
    for name, instance in instances.items():
        assert instance.name == name
        assert instance.about.title, name
        assert instance.about.source, name
        assert instance.about.expected.verdict is (Status.SAT if name.endswith("_s") else Status.UNSAT), name
        assert not instance.optional, name
        assert len(instance.distinct_tiles) == len(instance.tiles), name
    titles = [instance.about.title for instance in instances.values()]
    assert len(set(titles)) == len(titles)


def test_the_script_writes_into_an_empty_folder(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "problems"
    assert script.main(["--check"], folder) == 1
    assert not folder.exists()
    assert script.main([], folder) == 0
    capsys.readouterr()
    assert script.main([], folder) == 0
    assert "0 files" in capsys.readouterr().out
    assert len(list(folder.glob("*/*.*"))) == len(script.files())


@pytest.mark.parametrize(
    ("path", "change", "what"),
    [
        ("4L/10x10_u.txt", Path.unlink, "missing"),
        ("4L/10x10_u.txt", lambda file: file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n")), "differs"),
        ("4L/11x11_u.txt", lambda file: file.write_text("# tags: other, thesis\n11x11\n\n4L\n"), "superfluous"),
    ],
)
def test_the_script_notices_and_repairs(
    script: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    path: str,
    change: Callable[[Path], object],
    what: str,
) -> None:
    script.main([], tmp_path)
    (tmp_path / "own").mkdir()
    others = [tmp_path / "own" / "puzzle.txt", tmp_path / "4L" / "unreadable.txt"]
    others[0].write_text("# tags: mine\n2x2\n\n2\n")
    others[1].write_bytes(b"\xff\0")
    change(tmp_path / path)
    capsys.readouterr()
    assert script.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out.splitlines()[0].split() == [what, path]
    assert script.main([], tmp_path) == 0
    assert script.main(["--check"], tmp_path) == 0
    assert all(file.exists() for file in others)


# Files of the original Tiler, whose names tell about reflections and the verdict.


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("suffix", ["", ".txt"])
def test_original_map(tmp_path: Path, ending: str, suffix: str) -> None:
    file = tmp_path / "2" / f"corners-04x04_u{suffix}"
    file.parent.mkdir()
    file.write_bytes(" xxx\nxxxx\nxxxx\nxxx\n\n2\n".replace("\n", ending).encode())
    instance = formats.read(file)
    assert thesis_digest(instance) == DIGESTS["2/corners-04x04_u"]
    assert instance.name == "2/corners-04x04_u"
    assert not instance.reflections


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r\n\r\n\r\n"])
def test_original_with_a_quote(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "5r-06x10'_s"
    pieces = "5A 5F 5G 5J 5P 5S 5I 5T 5U 5V 5W 5X"
    file.write_bytes(ending.join(["6x10", "", *(f"1:{piece}" for piece in pieces.split())]).encode())
    instance = formats.read(file)
    assert thesis_digest(instance) == DIGESTS["many-unique/5r-06x10_s"]
    assert instance.reflections


def test_original_without_verdict(tmp_path: Path) -> None:
    file = tmp_path / "unnamed"
    file.write_text("3x5\n\n4L\n")
    instance = formats.read(file)
    assert instance.about.expected.verdict is None
    assert not instance.reflections


# The other corpora.


def tagged(tag: str) -> dict[str, Instance]:
    return {instance.name: instance for instance in problems().values() if tag in instance.about.tags}


def test_every_problem_is_of_one_corpus() -> None:
    read = problems().values()
    assert len(read) == len(list((ROOT / "problems").glob("*/*.*")))
    corpora = {"thesis", "scaled", "classic", "polyforms", "sequences", "lattices", "wraps", "sticks", "pairs", "calendars"}
    corpora |= {"colours", "edges", "burr", "slack", "few-copies"}
    assert all(len(corpora.intersection(instance.about.tags)) == 1 for instance in read)
    assert all(instance.about.title and instance.about.source for instance in read)
    assert all(
        instance.about.expected.verdict is (Status.SAT if instance.name.endswith("_s") else Status.UNSAT) for instance in read
    )


def test_few_copies_are_two_to_eight_of_each_tile_and_fill_the_board() -> None:
    """So that in a CNF copies with names differ from counted ones."""
    few = tagged("few-copies")
    assert (len(few), sum(name.endswith("_u") for name in few)) == (40, 19)
    for name, instance in few.items():
        assert name.startswith("few-copies/")
        copies = [tile.at_most for tile in instance.tiles if tile.at_most is not None and 2 <= tile.at_most <= 8]
        sizes = [len(tile.shape) for tile in instance.tiles]
        assert sum(map(prod, zip(copies, sizes, strict=True))) == len(instance.board)
    cover = BoardCover.of(few["few-copies/3x4JOT-04x09_u"])
    counted, named = (encode(cover, f"{kind}-seqcounter", "seqcounter").formula for kind in ("amk", "amo"))
    assert 3 * counted.variables < 2 * named.variables


@pytest.mark.parametrize("name", ["3x4JOT-04x09_u", "3x2-4x4I-3x4O-corners-06x06_u", "5x5IV-05x10_u", "2x4IJOST-04x10_s"])
def test_verdicts_of_few_copies(name: str) -> None:
    instance = tagged("few-copies")[f"few-copies/{name}"]
    assert solve(instance, "frontier").result.status is instance.about.expected.verdict


def test_scaled_families_grow() -> None:
    scaled = tagged("scaled")
    largest = {
        "2/corners-100x100_u": 9998,
        "4I/102x102_u": 10404,
        "4L/50x50_u": 2500,
        "4T/50x50_u": 2500,
        "3I/L-square-31x62_u": 2883,
        "2/square-100x100_s": 10000,
        "3I/square-99x99_s": 9801,
        "3L/square-99x99_s": 9801,
        "4O/square-100x100_s": 10000,
    }
    assert {name: len(scaled[name].board) for name in largest} == largest
    sides = {name: int(name.partition("square-")[2][:2]) for name in scaled if name.startswith("3I/L-square")}
    assert all((side % 3 == 0) == name.endswith("_s") for name, side in sides.items())


@pytest.mark.parametrize(
    "name", ["4T/06x06_u", "3I/L-square-03x06_s", "3I/L-square-06x12_s", "3I/square-06x06_s", "3L/square-09x09_s"]
)
def test_verdicts_of_the_smallest_scaled(name: str) -> None:
    instance = formats.read(ROOT / "problems" / f"{name}.txt")
    assert solve(instance, "dlx").result.status is instance.about.expected.verdict


def test_published_counts_are_in_the_files() -> None:
    published: list[tuple[str, int | None, int | None]] = [
        ("pentominoes-06x10", 9356, 2339),
        ("pentominoes-05x12", 4040, 1010),
        ("pentominoes-04x15", 1472, 368),
        ("pentominoes-03x20", 8, 2),
        ("pentominoes-08x08-hole", 520, 65),
        ("pentominoes-08x08-4O", 129168, 16146),
        ("pentacubes-6x5x2", 2112, 264),
        ("pentacubes-10x3x2", 96, 12),
        ("pentacubes-5x4x3", 31520, 3940),
        ("soma", 11520, 240),
        ("bedlam", 460464, 19186),
        ("one-sided-05x18", 2746512, 686628),
        ("PT", None, 51184),
        ("big-brother", None, 14177),
        ("tetris-cube", None, 9839),
        ("dominoes-02x02", 2, None),
        ("dominoes-04x04", 36, None),
        ("dominoes-06x06", 6728, None),
        ("dominoes-08x08", 12988816, None),
        ("dominoes-10x10", 258584046368, None),
        ("dominoes-16x16", 2444888770250892795802079170816, None),
        ("dominoes-3x2x2", 32, None),
    ]
    stated = {name: problems()[f"classic/{name}_s"].about.expected for name, *_ in published}
    assert [(name, each.count, each.up_to_symmetry) for name, each in stated.items()] == published


def test_busches_board_has_a_slit_of_five_cells() -> None:
    instance = formats.read(ROOT / "problems/classic/PT_s.txt")
    slit = {(6, 4), (6, 5), (6, 6), (6, 7), (6, 8)}
    assert instance.board | slit == {(y, x) for y in range(13) for x in range(13) if abs(y - 6) + abs(x - 6) <= 6}
    assert not instance.board & slit
    assert len(group(instance)) == 4


def test_puzzles_fill_their_boards() -> None:
    for instance in tagged("classic").values():
        if all(tile.at_most for tile in instance.tiles):
            assert sum(tile.size * (tile.at_most or 0) for tile in instance.tiles) == len(instance.board), instance.name


@pytest.mark.parametrize("name", ["pentominoes-03x20", "pentominoes-08x08-hole", "pentacubes-10x3x2", "soma", "dominoes-3x2x2"])
def test_counts_of_small_puzzles(name: str) -> None:
    instance = formats.read(ROOT / "problems/classic" / f"{name}_s.txt")
    assert solve(instance, "dlx", Question(Goal.COUNT)).result.count == instance.about.expected.count


def test_filters_by_regular_expression() -> None:
    assert corpus.fits("4r/4r-04_s", "/4r.*04/")
    assert not corpus.fits("4r/4r-05_s", "/4r.*04/")
    assert not corpus.fits("4L/10x10_u", "/^L/")
    with pytest.raises(BadOption, match=r"/\(/ is no regular expression"):
        corpus.fits("4L/10x10_u", "/(/")


def test_names_of_the_thesis_with_a_quote_are_found() -> None:
    quoted = [f"{name[:-2]}'{name[-2:]}" for name in DIGESTS if problems()[name].reflections]
    assert "many-unique/4r-5r-04x20'_s" in quoted
    for name in quoted:
        assert formats.read(name).digest == formats.read(name.replace("'", "")).digest
    (chosen,) = corpus.select(ROOT / "problems", ["many-unique/4r-5r-04x20'_s"])
    assert chosen.name == "many-unique/4r-5r-04x20_s"
