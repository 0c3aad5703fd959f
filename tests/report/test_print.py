"""Figures and tables for print: width, letters, names, greys, and the draft made of them."""

from __future__ import annotations

import csv
import json
import math
import re
import struct
import zlib
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from records import campaign, record

from tiler.bench import stats
from tiler.cli.main import main
from tiler.report import boxes, document, draw, end_labels, heatmap, instances, latex_draft, names, style, survival


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
        "--band",
        "problems",
        "--palette",
        "grey",
        "-o",
        str(results / "out"),
    ]
    assert main(["plot", str(results), "--bare", "--width", "86.36mm", "--font", "8", *options]) == 0
    width, _ = struct.unpack(">II", (results / "out/survival.png").read_bytes()[16:24])
    assert width == pytest.approx(3.4 * 150, abs=1)
    caption = (results / "out/survival.txt").read_text()
    assert caption.startswith("Problems solved within a time: results. ")
    assert "10 s, 100 MiB" in caption
    assert "95 % interval for the same number of other problems" in caption
    with (results / "out/survival.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["solver"] != "virtual best"]
    assert all(0 < float(row["low"]) < int(row["solved"]) <= float(row["high"]) <= 10 for row in rows)
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
    with names.renaming({"dlx": "Dancing Links", "sat amo-bdd": "BDD"}):
        made = names.labels(["dlx", "dlx:order=first", "sat:encoding=amo-bdd"])
    assert list(made.values()) == ["Dancing Links", "Dancing Links first", "BDD"]
    assert names.labels(["dlx"]) == {"dlx": "dlx"}


#: What people see who have no cones for red, green or blue, by Machado, Oliveira and Fernandes (2009).
EYES = {
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


@pytest.mark.parametrize("matrix", EYES.values(), ids=EYES)
def test_backends_differ_for_those_who_do_not_see_every_hue(matrix: tuple[tuple[float, ...], ...]) -> None:
    """Dashes and markers differ besides."""
    seen = []
    for paint, _ in style._OURS.values():
        parts = [int(paint[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        seen.append([min(1.0, max(0.0, sum(a * b for a, b in zip(row, parts, strict=True)))) for row in matrix])
    assert min(math.dist(x, y) for x, y in combinations(seen, 2)) > 0.15


def test_backends_differ_in_grey() -> None:
    shown = ["backtracking", "dlx", "fila", "frontier", "ilp", "auto"]
    with style.laid_out(style.Layout(palette="grey")):
        greys = sorted(int(style.colour(name)[1:3], 16) for name in shown)
    assert min(after - before for before, after in pairwise(greys)) >= 20


@pytest.fixture(scope="module")
def encodings() -> stats.Table:
    """Twenty-one variants of one backend, each with six problems, the later ones slower."""
    names = [f"amk-{letter}" for letter in "abcdefgh"] + [f"amo-{letter}" for letter in "abcdefghijklm"]
    return stats.tabulate([record(f"f/{n}", f"sat:encoding={name}", 0.1 * (n + 1)) for n in range(6) for name in names])


def test_beside_a_panel_there_is_room_for_every_label(encodings: stats.Table) -> None:
    with style.laid_out(style.Layout(highlight=encodings.solvers)):
        (drawing,) = instances.draw(encodings)
    (axes,) = drawing.figure.axes
    heights = sorted(text.get_position()[1] for text in axes.texts)
    assert len(heights) == len(encodings.solvers)
    step = end_labels.inches(1) * drawing.figure.dpi / axes.bbox.height
    assert -step < heights[0] < heights[-1] < 1 + step
    assert min(after - before for before, after in pairwise(heights)) > 0.99 * step


def test_below_a_panel_a_label_stands_behind_its_own_line() -> None:
    """The virtual best is a thin line in grey, without markers."""
    runs = [record(f"f/{n}", solver, 0.1 * (n + 1 + (solver == "auto"))) for n in range(4) for solver in ("auto", "dlx")]
    with style.laid_out(style.Layout(width=2.4, font=8.0)):
        (drawing,) = survival.draw(stats.tabulate(runs))
    legend = drawing.figure.axes[0].get_legend()
    assert legend is not None
    drawn = {text.get_text(): line for text, line in zip(legend.get_texts(), legend.get_lines(), strict=True)}
    assert drawn["auto  4/4"].get_color() == style.colour("auto")
    assert drawn["virtual best  4/4"].get_linestyle() == "-"
    assert drawn["virtual best  4/4"].get_linewidth() < drawn["auto  4/4"].get_linewidth()
    assert drawn["virtual best  4/4"].get_marker() in ("", "None")


def test_labels_stand_below_where_axes_would_be_narrow() -> None:
    runs = [record(f"f/{n}", solver, 0.1 * (n + 1)) for n in range(4) for solver in ("backtracking", "dlx")]
    table = stats.tabulate(runs)
    for width, below in ((3.4, True), (7.0, False)):
        with style.laid_out(style.Layout(width=width, font=8.0)):
            for _, drawing in draw.drawings(table, ["survival", "profile"]):
                (axes,) = drawing.figure.axes
                assert (axes.get_legend() is not None) == below
                assert axes.get_position().width >= 0.6


def test_a_long_label_below_a_panel_has_several_lines() -> None:
    specs = ["dlx:order=first", "fila"]
    runs = [record(f"f/{n}", solver, 0.1 * (n + 1)) for n in range(4) for solver in specs]
    long = {"fila": "named equal=off uncounted=off staggered=off and whatever else"}
    with names.renaming(long), style.laid_out(style.Layout(bare=True, width=3.4, font=8.0)):
        (drawing,) = survival.draw(stats.tabulate(runs))
        canvas = FigureCanvasAgg(drawing.figure)
        canvas.draw()
        legend = drawing.figure.axes[0].get_legend()
        assert legend is not None
        boxes_of = [text.get_window_extent(canvas.get_renderer()) for text in legend.get_texts()]
    assert max(box.x1 for box in boxes_of) <= drawing.figure.bbox.width
    assert min(box.y0 for box in boxes_of) >= 0


def test_the_virtual_best_has_a_sample_of_its_line() -> None:
    """And no line has the length zero, which some programs draw as a dot."""
    runs = [record(f"f/{n}", solver, 0.1 * (n + 1)) for n in range(4) for solver in ("sat", "dlx")]
    (drawing,) = survival.draw(stats.tabulate(runs))
    (axes,) = drawing.figure.axes
    lengths = [len(line.get_xdata()) for line in axes.lines if line.get_marker() == "None"]  # type: ignore[arg-type]
    assert min(lengths) >= 2
    (best,) = (line for line in axes.lines if str(line.get_label()).startswith("virtual best"))
    samples = [
        line for line in axes.lines if line.get_transform() == axes.transAxes and line.get_linewidth() == best.get_linewidth()
    ]
    assert [line.get_color() for line in samples] == [best.get_color()]


def test_headings_of_a_narrow_heat_map_stand_apart() -> None:
    specs = ["auto", "backtracking", "cpsat", "coloring", "dlx", "fila", "frontier", "ilp", "sat"]
    runs = [record(f"many-unique/2-3-4-5-{n}", spec, 0.1 * (n + 1)) for n in range(12) for spec in specs]
    with style.laid_out(style.Layout(bare=True, width=3.4, font=8.0)):
        (drawing,) = heatmap.draw(stats.tabulate(runs))
        canvas = FigureCanvasAgg(drawing.figure)
        canvas.draw()
        panel = drawing.figure.axes[0]
        heads = [label.get_window_extent(canvas.get_renderer()) for label in panel.get_xticklabels()]
        assert not any(one.overlaps(other) for one, other in pairwise(heads))
        names = [label.get_text() for label in panel.get_yticklabels()]
    assert names[:2] == ["many-unique/", "2-3-4-5-0"]
    assert "many-unique/" not in names[1:]


def test_boxes_stand_by_families_of_encodings() -> None:
    specs = [f"sat:encoding={name}" for name in ("amk-bdd", "amk-totalizer", "amo-bdd", "amo-pairwise")]
    runs = [record(f"f/{n}", spec, 1.0 + n + rank) for n in range(6) for rank, spec in enumerate(specs)]
    table = stats.tabulate(runs)
    assert boxes.suits(table)
    (drawing,) = boxes.draw(table)
    assert list(dict.fromkeys(row["family"] for row in drawing.rows)) == ["sat amk", "sat amo"]
    assert not boxes.suits(table.only(problems=lambda problem: problem.name < "f/3"))


def test_a_name_for_a_solver_that_is_not_there_is_refused(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["-o", str(tmp_path / "out")]
    assert main(["plot", str(results), "--kind", "survival", "--as", "dxl=Dancing Links", *out]) == 2
    said = capsys.readouterr().err
    assert "--as dxl=Dancing Links: no record is by 'dxl'; nearest: dlx" in said
    assert "; there are " in said
    assert not (tmp_path / "out").exists()
    assert main(["plot", str(results), "--kind", "survival", "--as", "dlx=Dancing Links", *out]) == 0


@pytest.mark.parametrize("number", [4, 12])
def test_a_solver_has_one_colour_in_all_figures(number: int) -> None:
    """With few variants and with many, beside others or alone."""
    specs = [f"sat:encoding={each}" for each in [*(f"amk-{n}" for n in "abcd"), *(f"amo-{n}" for n in "abcdefgh")][:number]]
    runs = [record(f"f/{n}", spec, 0.1 * (n + 1) * (1 + k)) for n in range(6) for k, spec in enumerate([*specs, "dlx"])]
    for table in stats.tables([*runs, *({**run, "goal": "count", "count": 1} for run in runs[:-2])]):
        whole = {spec: look.colour for spec, look in style.looks_of(table).items()}
        assert len(set(whole.values())) >= min(number, 5) + 1
        for part in (specs[:2], specs[3:], [specs[0], "dlx"]):
            some = table.only(solvers=set(part).__contains__)
            assert {spec: look.colour for spec, look in style.looks_of(some).items()} == {spec: whole[spec] for spec in part}
            assert {spec: look.colour for spec, look in style.looks_of(table, part).items()} == {
                spec: whole[spec] for spec in part
            }


def test_a_heat_map_is_grey_where_that_is_asked_for() -> None:
    runs = [record(f"f/{n}", spec, 0.1 * n or None) for n in range(3) for spec in ("dlx", "sat")]
    with style.laid_out(style.Layout(palette="grey")):
        (drawing,) = heatmap.draw(stats.tabulate([*runs, record("f/3", "dlx", category="wrong")]))
    panel = drawing.figure.axes[0]
    shades = [tuple(paint)[:3] for paint in panel.collections[0].get_cmap()([0.0, 0.5, 1.0])]
    shades += [patch.get_facecolor()[:3] for patch in panel.patches]
    assert len(shades) >= 6
    assert all(max(paint) - min(paint) < 0.01 for paint in shades)
    assert all(max(paint) < 0.95 for paint in shades[:3])  # What is missing is white.


def test_no_name_is_cut_in_a_narrow_scatter() -> None:
    long = "frontier filter=off anchor=off auto threads=1 order=off"
    specs = ["dlx", "fila", "sat"]
    runs = [record(f"f/{n}", spec, 0.1 * (n + 1) * (1 + k)) for n in range(4) for k, spec in enumerate(specs)]
    with names.renaming({"dlx": long, "fila": f"{long} draw=off"}), style.laid_out(style.Layout(bare=True, width=3.4, font=8.0)):
        ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["scatter"])
        figure = drawing.figure
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
        boxes = [each._left_title.get_window_extent(renderer) for each in figure.axes]  # type: ignore[attr-defined]
        boxes += [each.xaxis.label.get_window_extent(renderer) for each in figure.axes if each.get_xlabel()]
        assert len(boxes) >= 3
        for box in boxes:
            assert -1 <= box.x0 < box.x1 <= figure.bbox.width + 1
            assert -1 <= box.y0 < box.y1 <= figure.bbox.height + 1
        assert not any(one.overlaps(two) for one, two in combinations(boxes, 2))


def test_a_draft(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "paper"
    assert main(["report", str(results), "--draft", str(out), "--title", "50 % & more"]) == 4
    page = (out / "draft.tex").read_text()
    assert r"\title{\vspace{-1.5em}50 \% \& more" in page
    for name in ("solvers.tex", "solvers.csv", "survival.pdf"):
        assert (out / name).stat().st_size > 100, name
    # What is written for LaTeX is used.
    assert re.findall(r"\\input\{(\w+)\}", page) == [path.stem for path in out.glob("*.tex") if path.stem != "draft"]
    assert b"/Type3" not in (out / "survival.pdf").read_bytes()
    # The table stands below the title, as a float across two columns would leave a column of the first page empty.
    assert page.index(r"\twocolumn[") < page.index(r"\input{solvers}") < page.index(r"\end{@twocolumnfalse}]")
    assert "figure*" not in page
    assert "table*" not in page
    many = document.Tabular(("solver", "solved"), tuple((f"s{n}", "1") for n in range(80)))
    assert latex_draft._first("solvers", many).startswith("\\maketitle\n\\begin{table*}")  # It would not fit beside the title.
    # Where T1 is asked for, its letters are outlines: without Latin Modern LaTeX would take bitmaps.
    assert r"\usepackage[T1]{fontenc}\usepackage{lmodern}" in page
    assert page.count("{fontenc}") == 1
    with (out / "solvers.csv").open() as file:
        assert {row["solver"] for row in csv.DictReader(file)} >= {"dlx", "virtual best"}


@pytest.mark.long
def test_the_draft_in_the_documentation_is_what_the_command_makes(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    title = re.search(r'--draft docs/draft --title "([^"]+)"', (root / "docs/tutorials/research.md").read_text())
    assert title is not None
    assert main(["report", str(root / "results/reference/encodings"), "--draft", str(tmp_path), "--title", title[1]]) == 0
    for name in ("draft.tex", "solvers.tex", "solvers.csv"):
        assert (tmp_path / name).read_text() == (root / "docs/draft" / name).read_text(), name
    streams = re.findall(rb"/ObjStm.*?stream\n(.*?)endstream", (root / "docs/draft/draft.pdf").read_bytes(), re.DOTALL)
    objects = b"".join(zlib.decompressobj().decompress(stream) for stream in streams)
    assert b"/Type1" in objects
    assert b"/Type3" not in objects
    for name in re.findall(r"includegraphics.*\{([\w-]+)\}", (tmp_path / "draft.tex").read_text()):
        assert (root / f"docs/draft/{name}.pdf").stat().st_size == pytest.approx(
            (tmp_path / f"{name}.pdf").stat().st_size, rel=0.05
        )


def test_what_latex_would_take_for_more_than_letters() -> None:
    grid = document.Tabular(("a", "b"), ((r"\input{x}", "!5%"),))
    assert r"\textbackslash{}input\{x\} & \textbf{5\%} \\" in latex_draft.latex(grid)
