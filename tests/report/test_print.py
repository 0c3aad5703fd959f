"""Figures and tables for print: width, letters, names, greys, and the draft made of them."""

from __future__ import annotations

import csv
import json
import struct
from itertools import pairwise
from pathlib import Path

import pytest
from records import campaign, record

from tiler.bench import stats
from tiler.cli.main import main
from tiler.report import boxes, document, draft, names, style


@pytest.fixture
def results(tmp_path: Path) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in campaign()))
    return folder


def test_a_figure_of_a_width(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--kind",
        "survival",
        "--format",
        "png",
        "--as",
        "dlx=Dancing Links",
        "--palette",
        "grey",
        "-o",
        str(results / "out"),
    ]
    assert main(["plot", str(results), "--bare", "--width", "86.36mm", "--font", "8", *options]) == 0
    width, _ = struct.unpack(">II", (results / "out/survival.png").read_bytes()[16:24])
    assert width == pytest.approx(3.4 * 150, abs=1)
    caption = (results / "out/survival.txt").read_text()
    assert caption.startswith("Problems solved within a time. ")
    assert "10 s, 100 MiB" in caption
    for wrong in (["--width", "3pt"], ["--font", "huge"], ["--palette", "pink"]):
        with pytest.raises(SystemExit) as caught:
            main(["plot", str(results), *wrong])
        assert caught.value.code == 2
    assert main(["plot", str(results), "--as", "dlx"]) == 2
    said = capsys.readouterr().err
    assert "no width from 1in to 40in" in said
    assert "--as dlx: it is 'SOLVER=NAME'" in said


def test_a_layout_is_over_when_it_is_over() -> None:
    before = style.FONT, style.SMALL, style.rc()
    with style.laid_out(style.Layout(font=8.0, palette="grey")):
        assert (style.FONT, style.rc()["axes.labelsize"]) == (8.0, 8.0)
        red, green, blue = (style.colour("dlx")[i : i + 2] for i in (1, 3, 5))
        assert red == green == blue
    assert (style.FONT, style.SMALL, style.rc()) == before
    with names.called({"dlx": "Dancing Links", "sat amo-bdd": "BDD"}):
        made = names.labels(["dlx", "dlx:order=first", "sat:encoding=amo-bdd"])
    assert list(made.values()) == ["Dancing Links", "Dancing Links first", "BDD"]
    assert names.labels(["dlx"]) == {"dlx": "dlx"}


def test_backends_differ_in_grey_and_for_those_who_do_not_see_red_or_green() -> None:
    """Simulated by the matrices of Machado, Oliveira and Fernandes (2009). Dashes and markers differ besides."""
    shown = ["backtracking", "dlx", "fila", "frontier", "ilp", "auto"]
    deutan = ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969))
    protan = ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052))
    for matrix in (deutan, protan):
        seen = []
        for name in shown:
            paint = style.colour(name)
            parts = [int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5)]
            seen.append([sum(a * b for a, b in zip(row, parts, strict=True)) for row in matrix])
        apart = [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) ** 0.5 for i, x in enumerate(seen) for y in seen[:i]]
        assert min(apart) > 0.12
    with style.laid_out(style.Layout(palette="grey")):
        greys = sorted(int(style.colour(name)[1:3], 16) for name in shown)
    assert min(after - before for before, after in pairwise(greys)) >= 20


def test_boxes_are_of_problems_that_all_answered() -> None:
    specs = [f"sat:encoding={name}" for name in ("amk-bdd", "amk-totalizer", "amo-bdd", "amo-pairwise")]
    runs = [
        record(f"f/{n}", spec, None if (n, rank) == (0, 2) else 1.0 + n + rank)
        for n in range(6)
        for rank, spec in enumerate(specs)
    ]
    table = stats.tabulate(runs)
    assert boxes.suits(table)
    (drawing,) = boxes.draw(table)
    assert {row["instance"] for row in drawing.rows} == {f"f/{n}" for n in range(1, 6)}
    assert list(dict.fromkeys(row["family"] for row in drawing.rows)) == ["sat amk", "sat amo"]
    assert not boxes.suits(table.only(problems=lambda problem: problem.name < "f/3"))


def test_a_draft(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "paper"
    assert main(["report", str(results), "--draft", str(out), "--title", "50 % & more"]) == 4
    page = (out / "draft.tex").read_text()
    assert r"\title{\vspace{-1.5em}50 \% \& more" in page
    for name in ("solvers.tex", "solvers.csv", "families.tex", "survival.pdf"):
        assert (out / name).stat().st_size > 100, name
    assert r"\input{solvers}" in page
    with (out / "solvers.csv").open() as file:
        assert {row["solver"] for row in csv.DictReader(file)} >= {"dlx", "virtual best"}


def test_what_latex_would_take_for_more_than_letters() -> None:
    grid = document.Grid(("a", "b"), ((r"\input{x}", "!5%"),))
    assert r"\textbackslash{}input\{x\} & \textbf{5\%} \\" in draft.latex(grid)
