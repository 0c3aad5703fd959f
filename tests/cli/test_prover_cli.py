"""`tiler prove`, and `tiler check` on what it writes."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from commands import call
from hypothesis import given, settings
from strategies import instances

from tiler import formats
from tiler.backends.coloring import picture
from tiler.cover.board import BoardCover
from tiler.cover.remainder import Remainder
from tiler.model.instance import Instance
from tiler.question.certificate import of_json

PROBLEMS = Path(__file__).parents[2] / "problems"
DOMINOES = str(PROBLEMS / "2" / "corners-04x04_u.txt")
MIXED = str(PROBLEMS / "mixed" / "4Os-4T-06x06_u.txt")
SKEW = str(PROBLEMS / "many-unique" / "5r-hskew-06x10_u.txt")


def test_a_proof_is_a_verdict_a_sentence_and_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "prove", DOMINOES) == (
        0,
        "unsat: there is no tiling\n"
        "checkerboard: every 2 covers exactly 1 black cell; 7 tiles cover 7; the board\n"
        "has 8\n\n"
        "  ██░░██\n██░░██░░\n░░██░░██\n██░░██\n",
        "",
    )


def test_weights_and_the_signed_tiling(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "prove", MIXED, "--signed")
    assert status == 0
    verdict, weights, why, signed = out.strip().split("\n\n")
    assert "weights: every 4O at most 2, every 4T at most 0; together at most 2" in verdict
    assert len(weights.splitlines()) == 6
    assert " ".join(why.split()).startswith("No colouring of the board can prove it: there is a signed tiling")
    total = {}
    for line in signed.splitlines():
        factor, name, *cells = line.split()
        assert name in ("4O", "4T")
        for cell in cells:
            total[cell] = total.get(cell, 0) + int(factor)
    assert set(total.values()) == {1}
    assert len(total) == 36


@pytest.mark.parametrize("problem", [["8x8", "2"], ["5x5", "1:5I", "4:5L"]])
def test_where_there_is_a_tiling_there_is_nothing_to_prove(capsys: pytest.CaptureFixture[str], problem: list[str]) -> None:
    status, out, _ = call(capsys, "prove", *problem)
    assert status == 0
    assert out.startswith("sat: there is a tiling, so there is nothing to prove\n\n┌")
    status, out, _ = call(capsys, "prove", *problem, "--format", "json")
    told = json.loads(out)
    assert (status, told["status"], told["certificate"]) == (0, "sat", None)


def test_what_cannot_be_proved_is_not_decided(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "prove", SKEW, "--solver", "coloring:stages=lattice")
    assert status == 3
    assert out.startswith(
        "unknown: no proof was found, but a search says that there is no tiling\n\nNo colouring of the board can"
    )
    status, out, _ = call(capsys, "prove", "60x60", "5P", "--time-limit", "50ms")
    assert (status, out) == (3, "unknown (the time limit is over)\n")


@pytest.mark.parametrize("problem", [DOMINOES, MIXED, SKEW, str(PROBLEMS / "misc" / "02_u.txt")])
def test_check_accepts_the_certificate_and_no_other(capsys: pytest.CaptureFixture[str], tmp_path: Path, problem: str) -> None:
    file = tmp_path / "c.json"
    picture = tmp_path / "c.txt"
    status, out, err = call(capsys, "prove", problem, "-o", str(file), "-o", str(picture))
    assert (status, out.splitlines()[0]) == (0, "unsat: there is no tiling")
    assert err == "" or (err.startswith("tiler: note: pieces ") and err.count("\n") == 1)
    assert picture.read_text().splitlines()[:2] == out.splitlines()[:2]
    assert call(capsys, "check", problem, str(file)) == (0, "the certificate holds: there is no tiling\n", "")
    data = json.loads(file.read_text())
    proof = data["proof"]
    while proof["kind"] == "removal":
        # Of what is ruled out the last may follow from nothing else.
        proof["log"] = proof["log"][len(proof["log"]) // 2 :]
        proof = proof["then"]
    if proof["kind"] in ("colourings", "weights"):
        (proof["colourings"][0] if proof["kind"] == "colourings" else proof)["weights"][5] += 1
    file.write_text(json.dumps(data))
    status, out, _ = call(capsys, "check", problem, str(file))
    assert status == 4
    assert out.startswith(f"wrong: {file}: ")
    assert out.count("\n") == 1
    other = DOMINOES if problem != DOMINOES else MIXED
    assert call(capsys, "check", other, str(file))[1].endswith("it is about another problem\n")
    data["proof"] = {"kind": "magic"}
    file.write_text(json.dumps(data))
    status, _, err = call(capsys, "check", problem, str(file))
    assert (status, err.count("\n")) == (2, 1)


def test_json_is_the_summary_with_the_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = call(capsys, "prove", DOMINOES, "--format", "json")
    summary = json.loads(out)
    assert summary.items() >= {"status": "unsat", "stop": "done", "instance": "2/corners-04x04_u", "count": None}.items()
    assert {"schema", "digest", "solver", "symmetry", "encode_seconds", "solve_seconds", "stats", "message"} <= summary.keys()
    assert of_json(summary["certificate"]).digest == summary["digest"]
    (tmp_path / "s.json").write_text(out)
    assert call(capsys, "check", DOMINOES, str(tmp_path / "s.json"))[0] == 0
    _, out, _ = call(capsys, "prove", "4x4", "2", "--format", "json", "--signed")
    assert json.loads(out)["certificate"] is None
    assert json.loads(out)["status"] == "sat"


def test_signed_tilings_are_checked_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file, solver = tmp_path / "s.json", "coloring:stages=lattice"
    assert call(capsys, "prove", MIXED, "--signed", "--solver", solver, "-o", str(file))[0] == 3
    status, out, _ = call(capsys, "check", MIXED, str(file))
    assert (status, out) == (0, "the signed tiling holds: no colouring can prove that there is no tiling\n")
    data = json.loads(file.read_text())
    data["signed"][0][0] += 1
    file.write_text(json.dumps(data))
    assert call(capsys, "check", MIXED, str(file))[0] == 4
    data["signed"] = [[1]]
    file.write_text(json.dumps(data))
    assert call(capsys, "check", MIXED, str(file))[0] == 2


def test_pictures_go_to_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name in ("p.svg", "p.png", "p.txt"):
        assert call(capsys, "prove", "6x6x6", "1x2x4", "-o", str(tmp_path / name))[0] == 0
    svg = (tmp_path / "p.svg").read_text()
    assert ET.fromstring(svg).tag.endswith("svg")
    assert "27 tiles cover 54; the board has 53" in svg
    assert svg.count("layer ") == 6
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert "layer 5" in (tmp_path / "p.txt").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.png", "p.svg", "p.txt"]
    status, out, err = call(capsys, "prove", "4x4", "2", "-o", str(tmp_path / "none.svg"))
    assert (status, out) == (0, "sat: there is a tiling, so there is nothing to prove\n")
    assert "there is nothing to write" in err
    assert not (tmp_path / "none.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["-o", "x.gif"], "the name must end in .svg, .png, .pdf, .html, .json, .txt"),
        (["-o", "no/such/x.svg"], "cannot write no/such/x.svg"),
        (["--solver", "coloring:stages=magic"], "'magic' is no stage"),
        (["--solver", "backtracking"], "backtracking: it cannot prove; these can prove: auto, coloring, matching\n"),
        (["--solver", "coloring:filter=dead"], "leave out filter and anchor"),
    ],
)
def test_bad_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], text: str) -> None:
    status, _, err = call(capsys, "prove", DOMINOES, *arguments)
    assert status == 2
    assert text in err


def test_a_wrong_expectation_is_loud(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "a_s.txt"
    file.write_text("5x5\n\n2\n")
    status, _, err = call(capsys, "prove", str(file))
    assert status == 4
    assert "the problem file expects sat" in err


def test_only_letters_where_blocks_cannot_be_written() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tiler", "prove", DOMINOES], env={"PYTHONIOENCODING": "ascii"}, capture_output=True, text=True
    )
    assert done.stdout.endswith("\n #.#\n#.#.\n.#.#\n#.#\n")


@settings(max_examples=60)
@given(instances(max_cells=12, words=False))
def test_any_weights_can_be_drawn(instance: Instance) -> None:
    remainder = Remainder.of(BoardCover.of(instance))
    for weights in ([1] * len(instance.board), list(range(len(instance.board)))):
        shown = picture.picture(remainder, weights)
        ET.fromstring(picture.as_file(shown, "a <caption>", "svg"))
        for width in (80, 20, 0):
            assert all(len(line) <= (width or 80) or width == 20 for line in picture.as_text(shown, width).splitlines())


def test_large_boards_are_cut_on_a_terminal() -> None:
    remainder = Remainder.of(BoardCover.of(formats.inline(["100x90", "2"])))
    text = picture.as_text(picture.picture(remainder, [0, 1] * 4500), 80)
    assert text.endswith("(the upper left 80x40 of 100x90)")
    assert max(map(len, text.splitlines())) == 80


def test_nothing_heavy_is_imported_for_help() -> None:
    code = (
        "import sys; from tiler.cli.main import main\ntry: main(['prove', '--help'])\nexcept SystemExit: pass\n"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL).returncode == 0


def test_cells_with_too_few_neighbours_are_drawn_in_two_tones(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Six of the board, and their five neighbours; numbers are for weights that say more."""
    drawn = tmp_path / "hall.svg"
    assert call(capsys, "prove", "pairs/trapped_u", "-o", str(drawn))[0] == 0
    root = ET.fromstring(drawn.read_text())
    fills = [mark.get("fill") for mark in root.iter("{http://www.w3.org/2000/svg}path")]
    assert {fill for fill in fills if fill != "none"} == {"#ffffff", "#336699", "#f4c070"}
    said = " ".join("".join(mark.itertext()) for mark in root.iter("{http://www.w3.org/2000/svg}text"))
    assert said == "6 cells have only 5 neighbours to be covered with; the cells are dark, their neighbours light"


def test_a_proof_by_marks_says_what_they_weigh(capsys: pytest.CaptureFixture[str]) -> None:
    out = " ".join(call(capsys, "prove", "2x1", "1 [a b c d]", "--no-turning")[1].split())
    assert "weights of the mark b (1) and of some cells" in out
    assert "No colouring of cells alone can prove it" in out
    assert "signed tiling, marks and colours left out," in out
