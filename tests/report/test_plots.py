"""Plots: every kind is drawn from stored records alone, complete, legible, in its solver's colour, with its data beside it."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from commands import call
from records import LIMITS, SOLVERS, campaign, record, without_pdf

from tiler.bench import stats
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.errors import BadOption
from tiler.report import draw, names, panels, style
from tiler.report import runs as runs_page
from tiler.report import tables as rows_of
from tiler.report.panels import Drawing


@pytest.fixture(scope="module")
def table() -> stats.Table:
    return stats.tabulate(stats.series(campaign())[0])


@pytest.fixture(scope="module")
def drawings(table: stats.Table) -> list[tuple[str, Drawing]]:
    return list(draw.drawings(table))


@pytest.fixture
def results(tmp_path: Path) -> Path:
    with Store(tmp_path / "results") as store:
        for each in campaign():
            store.append(each)
    return tmp_path / "results"


def test_every_kind_is_drawn(drawings: list[tuple[str, Drawing]]) -> None:
    assert {kind for kind, _ in drawings} == set(draw.KINDS)
    stems = [drawing.name for _, drawing in drawings]
    assert len(set(stems)) == len(stems)
    for kind in draw.KINDS:
        assert draw.kind(kind).HELP


def test_nothing_is_cut_off_or_small(drawings: list[tuple[str, Drawing]]) -> None:
    from matplotlib import rc_context

    for kind, drawing in drawings:
        with rc_context(style.RC):
            drawing.figure.draw_without_rendering()
        width, height = drawing.figure.bbox.width, drawing.figure.bbox.height
        for text in _texts(drawing):
            assert text.get_fontsize() >= 9, (kind, text)
            box = text.get_window_extent()
            assert -1 <= box.x0 <= box.x1 <= width + 1, (kind, text)
            assert -1 <= box.y0 <= box.y1 <= height + 1, (kind, text)


def _texts(drawing: Drawing) -> Iterator[Any]:
    """All letters that are drawn; an axis keeps labels for ticks beyond its limits too."""
    yield from drawing.figure.texts
    for axes in drawing.figure.axes:
        yield from axes.texts
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            yield from [axis.label] * bool(axis.label.get_text())
            for tick in axis.get_major_ticks():
                for label in (tick.label1, tick.label2):
                    if low <= tick.get_loc() <= high and label.get_visible() and label.get_text():
                        yield label
        for where in ("left", "center", "right"):
            if axes.get_title(loc=where):  # type: ignore[arg-type]
                yield {"left": axes._left_title, "center": axes.title, "right": axes._right_title}[where]


def test_labels_at_line_ends_do_not_overlap(drawings: list[tuple[str, Drawing]]) -> None:
    from matplotlib import rc_context

    for kind, drawing in drawings:
        if kind not in ("scaling", "instances", "survival", "profile"):
            continue
        with rc_context(style.RC):
            drawing.figure.draw_without_rendering()
        for axes in drawing.figure.axes:
            labels = [text for text in axes.texts if text.get_transform() == axes.transAxes and text.get_position()[0] > 1]
            heights = sorted(text.get_window_extent().y0 for text in labels)
            assert all(b - a > 7 for a, b in pairwise(heights)), kind


def test_one_colour_per_backend() -> None:
    from tiler.backends.registry import backends

    looks = style.looks(SOLVERS)
    assert style.colour("dlx") == style.colour("dlx:order=first") in (looks["dlx"].colour, looks["dlx:order=first"].colour)
    assert (looks["dlx"].dash, looks["dlx"].marker) != (looks["dlx:order=first"].dash, looks["dlx:order=first"].marker)
    colours = [style.colour(name) for name in backends()]
    assert len(set(colours)) == len(colours)
    assert style.looks(["dlx", "x"])["dlx"].colour == style.looks(["x", "y", "dlx"])["dlx"].colour


def test_variants_have_tones_of_their_own() -> None:
    specs = [f"sat:encoding={n}" for n in range(21)]
    assert len({look.colour for look in style.looks(specs[:10]).values()}) == 10
    assert len({(look.colour, str(look.dash)) for look in style.looks(specs).values()}) == 21
    assert style.looks(["theirs", "dlx"], {"theirs": "#123456"})["theirs"].colour == "#123456"


def test_a_backend_has_one_marker_and_dash_everywhere() -> None:
    """So that a grey print tells backends apart in all figures of all campaigns."""
    from tiler.backends.registry import backends

    for palette in ("tiler", "grey"):
        with style.laid_out(style.Layout(palette=palette)):
            alone = {name: style.looks([name])[name] for name in backends()}
            together = style.looks([*reversed(alone), "theirs", "dlx:order=first", "dlx:order=rare"])
            backward = style.looks([*alone, "dlx:order=first", "dlx:order=rare", "theirs"])
        assert {name: together[name] for name in alone} == alone
        assert together["theirs"] == backward["theirs"]
        assert len({look.marker for look in together.values()}) == len(together)


def test_a_solver_without_options_looks_alike_in_every_campaign() -> None:
    """Also where a variant is better, so that the marker of `ilp` is nowhere that of `fila`."""
    plain = "ilp:filter=off,anchor=off"
    specs = ["ilp:engine=highs", plain, "fila"]
    table = stats.tabulate([record(f"f/{n}", spec, 0.1 * (rank + 1)) for n in range(3) for rank, spec in enumerate(specs)])
    assert style.looks_of(table)[plain] == style.looks(["ilp"])["ilp"]
    many = [f"ilp:engine={n}" for n in range(12)]
    assert style.looks([*many, plain])[plain] == style.looks(["ilp"])["ilp"]


def test_a_figure_of_some_solvers_has_the_markers_of_the_report() -> None:
    specs = ["auto", "sat", "dlx", "dlx:order=first", "dlx:order=rare", "fila"]
    table = stats.tabulate([record(f"f/{n}", spec, 0.1 * (n + 1)) for n in range(3) for spec in specs])
    whole = style.looks_of(table)
    for some in (specs[3:], specs[::2], specs[4:]):
        assert style.looks_of(table.only(solvers=set(some).__contains__)) == {spec: whole[spec] for spec in some}
        assert style.looks_of(table, some) == {spec: whole[spec] for spec in some}


def test_scaling_has_gaps_where_unsolved(table: stats.Table, drawings: list[tuple[str, Drawing]]) -> None:
    (drawing,) = (drawing for kind, drawing in drawings if kind == "scaling")
    (panel,) = (axes for axes in drawing.figure.axes if axes.get_title(loc="left").startswith("g/corners"))
    (line,) = (line for line in panel.lines if line.get_color() == style.colour("backtracking") and len(line.get_xdata()) == 5)
    assert [math.isnan(y) for y in line.get_ydata()] == [False, False, False, True, True]
    rows = [row for row in drawing.rows if row["solver"] == "nobody:knows=this"]
    assert [row["end"] for row in rows if row["cells"] == 144] == ["missing", "missing"]


def test_a_missing_run_is_no_timeout(drawings: list[tuple[str, Drawing]]) -> None:
    (drawing,) = (drawing for kind, drawing in drawings if kind == "heatmap")
    letters = [text.get_text() for axes in drawing.figure.axes for text in axes.texts]
    assert sorted(letters) == ["E", "T", "T", "T", "T", "W"]
    (scatter,) = (drawing for kind, drawing in drawings if kind == "scatter")
    assert not any(row["a_end"] == "missing" or row["b_end"] == "missing" for row in scatter.rows)
    (survival,) = (drawing for kind, drawing in drawings if kind == "survival")
    assert any("nobody this  8/8" in text.get_text() for text in survival.figure.axes[0].texts)


def test_the_virtual_best_is_in_the_survival_plot(table: stats.Table, drawings: list[tuple[str, Drawing]]) -> None:
    (survival,) = (drawing for kind, drawing in drawings if kind == "survival")
    best = [row["seconds"] for row in survival.rows if row["solver"] == "virtual best"]
    assert best == sorted(one.seconds for one in stats.virtual_best(table).values())


def test_captions_name_limits_clock_and_date(drawings: list[tuple[str, Drawing]]) -> None:
    for _, drawing in drawings:
        caption = " ".join(text.get_text() for text in drawing.figure.texts).replace("\n", " ")
        for part in ("10 s, 100 MiB", "solve seconds", "2026-01-01", "A CPU, 2 cores", "tiler 1 (abc)"):
            assert part in caption


def test_many_solvers_are_several_figures() -> None:
    records = [
        record(f"f/{side:02}x{side:02}_s", f"{backend}:n={n}", 1.0 + n, cells=side**2)
        for side in (2, 4, 6)
        for backend in ("p", "q")
        for n in range(8)
    ]
    casts = panels.casts(stats.tabulate(records))
    assert [suffix for suffix, _ in casts] == ["", "-p", "-q"]
    assert casts[0][1].solvers == ("p:n=0", "q:n=0")


def test_the_same_data_give_the_same_files(table: stats.Table, tmp_path: Path) -> None:
    once, again = (draw.write(table, tmp_path / name, ["survival", "heatmap"]) for name in ("a", "b"))
    assert once == again
    for path in sorted((tmp_path / "a").iterdir()):
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes(), path.name
    assert sorted(path.suffix for path in (tmp_path / "a").glob("survival.*")) == [".csv", ".pdf", ".svg"]


# --- solvers that solved nothing, data


def test_solvers_that_solved_nothing_stand_in_legends_and_data() -> None:
    names = [f"f/{n}x{n}" for n in range(2, 6)]
    runs = [record(name, solver, float(n + 1), cells=n) for n, name in enumerate(names, 2) for solver in ("a", "b")]
    runs += [record(name, "idle", repeat=repeat, cells=n) for n, name in enumerate(names, 2) for repeat in (0, 1)]
    runs += [record(name, "shy", category="refused", stop="error", cells=n) for n, name in enumerate(names, 2)]
    table = stats.tabulate(runs)
    for kind in ("survival", "profile", "instances", "scaling", "scatter"):
        found = list(draw.drawings(table, [kind]))
        ((_, drawing),) = found
        words = {text.get_text().partition("\n")[0] for text in _texts(drawing)}
        left_out = "Left out, as no problem was solved by both: idle 0/4." in _caption(drawing)
        assert ("idle  0/4" in words, left_out) == (kind != "scatter", kind == "scatter"), kind
        assert not any(word.startswith("shy") for word in words), kind
        assert ("less than half of the problems: shy." in " ".join(drawing.figure.caption.split())) == (kind == "profile")
        told = {row.get("solver", row.get("b")) for row in drawing.rows}
        assert "idle" in told, kind
    ((_, drawing),) = draw.drawings(table, ["survival"])
    assert {"solver": "idle", "solved": 0, "of": 4, "seconds": None} in drawing.rows


def test_a_heading_says_what_its_mean_rests_on() -> None:
    runs = [
        record("f/1", "a", 1.0),
        record("f/2", "a", 1.0),
        record("f/1", "one", 95.0),
        record("f/2", "one"),
        record("f/1", "no"),
    ]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["scatter"])
    heads = {" ".join(panel.get_title(loc="left").replace(",", "").split()) for panel in drawing.figure.axes}
    assert heads == {
        "one 95 times slower than a n = 1 of 2 1 not solved by one",
    }
    assert "Left out, as no problem was solved by both: no 0/1." in _caption(drawing)
    with style.laid_out(style.Layout(width=3.4)):
        ((_, narrow),) = draw.drawings(stats.tabulate(runs), ["scatter"])
    assert {" ".join(panel.get_title(loc="left").split()) for panel in narrow.figure.axes} == {"one 95 times slower, n = 1 of 2"}


def test_all_data_call_solvers_alike() -> None:
    specs = ("dlx:filter=off,anchor=off", "backtracking:order=rare,filter=off")
    runs = [record(f"f/{n}", spec, 1.0 + n, load=0.5, jobs=2) for n in range(5) for spec in specs]
    table = stats.tabulate(runs)
    told = rows_of.record_rows(runs)
    assert {row["solver"] for row in told} == set(map(names.short, specs)) == {"dlx", "backtracking:order=rare"}
    assert {(row["load"], row["jobs"]) for row in told} == {(0.5, 2)}
    for _, drawing in draw.drawings(table):
        for row in drawing.rows:
            called = {str(row[key]) for key in ("solver", "a", "b") if key in row} or set(row) - {"instance", "cells", "verdict"}
            assert called <= {"dlx", "backtracking:order=rare", "virtual best"}, drawing.name
    ((_, survival),) = draw.drawings(table, ["survival"])
    assert {(row["instance"], row["load"]) for row in survival.rows} == {(f"f/{n}", 0.5) for n in range(5)}


@pytest.mark.parametrize("text", ["=cmd|calc", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_is_a_formula_for_a_spreadsheet(text: str) -> None:
    (found,) = csv.DictReader(io.StringIO(draw.table_of([{"solver": text, text: 1}]), newline=""))
    told = f"'{text}".replace("\r", "\n")
    assert found == {"solver": told, told: "1"}


@pytest.mark.parametrize("value", ["-1.5", "-", -1.5, "a=b", "dlx:order=first", ""])
def test_numbers_and_other_texts_stay(value: object) -> None:
    (found,) = csv.DictReader(io.StringIO(draw.table_of([{"a": 1, "value": value}])))
    assert found["value"] == str(value)


# --- the command


def rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open() as file:
        yield from csv.DictReader(file)


def test_command(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["plot", str(results), "--kind", "scatter", "--solver", "dlx", "--filter", "f/*", "-o", str(results / "out")]) == 0
    )
    assert "1 figure, each as svg, pdf and csv" in capsys.readouterr().out
    assert sorted(path.name for path in (results / "out").iterdir()) == [f"scatter.{form}" for form in ("csv", "pdf", "svg")]
    found = list(rows(results / "out/scatter.csv"))
    assert {row["instance"].partition("-")[0] for row in found} == {"f/square"}
    assert {row["a"] for row in found} | {row["b"] for row in found} == {"dlx", "dlx:order=first"}


def test_other_limits_have_a_folder_of_their_own(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pdf(monkeypatch)
    with Store(results) as store:
        for each in campaign()[:20]:
            store.append(each | {"limits": LIMITS | {"seconds": 60.0}})
    assert main(["plot", str(results), "--kind", "survival"]) == 0
    assert (results / "plots/survival.svg").exists()
    assert (results / "plots/decide-60s-100MiB/survival.svg").exists()


def test_a_figure_higher_than_a_page_is_named(
    results: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pdf(monkeypatch)
    for font, told in ((10, 0), (24, 1)):
        status, _, error = call(capsys, "plot", str(results), "--kind", "survival", "--width", "6in", "--font", str(font))
        assert (status, error.count("\n")) == (0, told)
        assert ("tiler: survival is " in error and " in high, more than a page (9 in): use --bare" in error) == bool(told)


def test_a_drawing_of_all_leaves_no_figures_of_before(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draw, "KINDS", ("survival",))  # Others would be drawn for long.
    without_pdf(monkeypatch)
    plots = results / "plots"
    (plots / "decide-60s-100MiB").mkdir(parents=True)
    (plots / "mine").mkdir()
    old = [plots / name for name in ("profile.svg", "profile.csv", "scatter-2.pdf", "decide-60s-100MiB/survival.svg")]
    own = [plots / name for name in ("mine.svg", "mine/survival.svg", "survivalists.svg", "README.txt")]
    for path in (*old, *own):
        path.touch()
    for some in (["--kind", "survival"], ["--solver", "dlx"], ["--filter", "f/*"]):
        assert main(["plot", str(results), *some]) == 0
        assert all(path.exists() for path in old)
    assert main(["plot", str(results)]) == 0
    assert not any(path.exists() for path in old)
    assert not (plots / "decide-60s-100MiB").exists()
    assert all(path.exists() for path in (*own, plots / "survival.svg", plots / "survival.csv"))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--solver", "dxl"], "no record is by dxl; nearest: dlx; there are backtracking, dlx, nobody, sat"),
        (["--filter", "4L"], "no record is of a problem that fits '4L'"),
        (["--solver", "backtracking", "--kind", "scatter"], "there is nothing in these records for a plot of kind scatter: "),
        (["--kind", "pie"], "invalid choice: 'pie'"),
    ],
)
def test_bad_usage(results: Path, arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, error = call(capsys, "plot", str(results), *arguments)
    assert (status, error.count("\n")) == (2, 1)
    assert text in error


def test_no_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plot", str(tmp_path)]) == 2
    assert "there are no records here (runs.jsonl); tiler bench -o" in capsys.readouterr().err


def test_labels_are_unique() -> None:
    assert names.labels(["dlx", "dlx:order=first", "x:a=b", "y:a=b"]) == {
        "dlx": "dlx",
        "dlx:order=first": "dlx first",
        "x:a=b": "x b",
        "y:a=b": "y b",
    }
    assert set(names.labels(["x:a=1", "x:b=1", "x:a=w", "x:b=w"]).values()) == {"x a=1", "x b=1", "x:a=w", "x:b=w"}


def test_bars_over_repeats_and_what_they_mean() -> None:
    took = {"a": [1.25, 2.5, 4.75], "b": [1.5, 3.5, None]}
    runs = [
        record(f"f/square-{n + 2:02}x{n + 2:02}_s", solver, s, seed=k, cells=(n + 2) ** 2)
        for n in range(3)
        for solver, some in took.items()
        for k, s in enumerate(some)
    ]
    table = stats.tabulate(runs)
    for kind in ("instances", "scaling", "scatter"):
        ((_, drawing),) = draw.drawings(table, [kind])
        assert "a solver ran several times on a problem, the median" in drawing.figure.caption  # type: ignore[attr-defined]
        assert panels.BARS in drawing.figure.caption  # type: ignore[attr-defined]
        bars = [segment for some in drawing.figure.axes[0].collections for segment in some.get_segments()]  # type: ignore[attr-defined]
        ends = {float(value) for bar in bars for value in bar.ravel()}
        # One of b's seeds did not solve it: then the bar goes on to the limit.
        assert {1.25, 4.75, 1.5, LIMITS["seconds"]} <= ends, kind
        assert 3.5 not in ends or kind == "scatter"
    single = stats.tabulate([each for each in runs if each["seed"] == 0])
    ((_, drawing),) = draw.drawings(single, ["instances"])
    assert "several times" not in drawing.figure.caption  # type: ignore[attr-defined]
    assert not drawing.figure.axes[0].collections


def test_a_label_beside_a_panel_stands_behind_the_marker_of_its_line(drawings: list[tuple[str, Drawing]]) -> None:
    """So that a grey print tells which line is meant."""
    (axes,) = next(drawing for kind, drawing in drawings if kind == "survival").figure.axes
    beside = {round(float(line.get_ydata()[0]), 6): line for line in axes.lines if len(line.get_xdata()) == 1}
    labels = [text for text in axes.texts if "virtual best" not in text.get_text()]
    assert len(labels) == len(SOLVERS)
    for text in labels:
        drawn = {str(line.get_marker()) for line in axes.lines if line.get_label() == text.get_text()} - {"None"}
        assert drawn == {beside[round(text.get_position()[1], 6)].get_marker()}


def test_in_a_column_of_a_paper_nothing_is_cut_off_and_no_ticks_touch(table: stats.Table) -> None:
    from matplotlib import rc_context

    with style.laid_out(style.Layout(bare=True, width=3.4, font=8.0)), rc_context(style.rc()):
        for kind, drawing in draw.drawings(table):
            drawing.figure.draw_without_rendering()
            width, height = drawing.figure.bbox.width, drawing.figure.bbox.height
            assert width == pytest.approx(3.4 * drawing.figure.dpi)
            for text in _texts(drawing):
                box = text.get_window_extent()
                assert -1 <= box.x0 <= box.x1 <= width + 1, (kind, text)
                assert -1 <= box.y0 <= box.y1 <= height + 1, (kind, text)
            for axes in drawing.figure.axes:
                for axis, side in ((axes.xaxis, 0), (axes.yaxis, 1)):
                    low, high = sorted(axis.get_view_interval())
                    ticks = [each for each in axis.get_major_ticks() if low <= each.get_loc() <= high and each.label1.get_text()]
                    boxes = [each.label1.get_window_extent() for each in ticks if each.label1.get_visible()]
                    spans = sorted((box.x0, box.x1) if side == 0 else (box.y0, box.y1) for box in boxes)
                    if axis.get_tick_params().get("labelrotation") == 45:
                        continue
                    assert all(one[1] <= other[0] + 1 for one, other in pairwise(spans)), (kind, axis)
            if kind in ("effort", "encodings", "scatter"):
                assert drawing.figure.axes[0].get_ylabel().endswith("seconds")
                assert panels.columns_of(drawing.figure.axes) == 2
            if kind in ("instances", "scaling"):
                legends = [legend for axes in drawing.figure.axes if (legend := axes.get_legend())]
                assert [len(legend.get_texts()) for legend in legends] == [len(SOLVERS)]
                for legend in legends:
                    for sample, text in zip(legend.get_lines(), legend.get_texts(), strict=True):
                        assert sample.get_window_extent().x1 < text.get_window_extent().x0


def _many_sizes() -> stats.Table:
    """Nine solvers, one of which solves nothing, on four families of twelve sizes."""
    return stats.tabulate(
        [
            record(
                f"{family}/square-{n:02}x{n:02}_s",
                f"s{rank}",
                0.01 * n * (9 - rank) if n <= 13 - rank and rank < 8 else None,
                cells=n * n,
                stats={"nodes": n + rank},
            )
            for family in "abcd"
            for n in range(2, 14)
            for rank in range(9)
        ]
    )


def test_figures_of_a_column_fit_on_a_page() -> None:
    with style.laid_out(style.Layout(width=3.4)):
        for kind, drawing in draw.drawings(_many_sizes(), ["survival", "profile", "instances", "scaling", "scatter", "effort"]):
            assert drawing.figure.get_figheight() <= panels.PAGE + 0.001, drawing.name
            if kind in ("scaling", "scatter", "effort"):
                assert panels.columns_of(drawing.figure.axes) == 2, kind
            for text in drawing.figure.texts:
                box = text.get_window_extent()
                assert 0.03 * drawing.figure.dpi < box.x0 <= box.x1 < (3.4 - 0.03) * drawing.figure.dpi, drawing.name


def test_every_key_has_the_order_of_the_ranking() -> None:
    table = _many_sizes()
    called, ranked = panels.labels_of(table), stats.ranking(table)
    with style.laid_out(style.Layout(width=3.4)):
        for kind, drawing in draw.drawings(table, ["survival", "profile", "instances", "scaling"]):
            (key,) = [legend for axes in drawing.figure.axes if (legend := axes.get_legend())]
            shown = [text.get_text().partition("  ")[0] for text in key.get_texts()]
            best = ["virtual best"] * (kind == "survival")
            assert shown == best + [called[solver].partition("  ")[0] for solver in ranked], kind
            empty = [line.get_linestyle() == "None" for line in key.get_lines()]
            assert sum(empty) == (kind in ("instances", "scaling"))
            assert shown[empty.index(True) if any(empty) else -1] == "s8"


def test_labels_of_lines_that_end_at_one_height_have_the_order_of_the_key() -> None:
    runs = [record(f"f/{n}", solver, seconds) for n in range(3) for solver, seconds in (("a", 3.0), ("b", 1.0), ("c", 2.0))]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["survival"])
    (panel,) = drawing.figure.axes
    from_above = sorted(panel.texts, key=lambda text: -text.get_position()[1])
    assert [text.get_text().split("  ")[0] for text in from_above] == ["virtual best", "b", "c", "a"]


def test_parts_of_a_family_have_numbers() -> None:
    from tiler.report.instances import _groups

    problems = stats.tabulate(
        [record(f"{name}/{n}", "a", 1.0) for name in ("f", "g", "h") for n in range(9 if name == "f" else 2)]
    )
    assert [(heading, len(some)) for heading, some in _groups(problems.problems, 4)] == [
        ("f, 1 of 3", 3),
        ("f, 2 of 3", 3),
        ("f, 3 of 3", 3),
        ("g, h", 4),
    ]


def test_scaling_tells_what_it_leaves_out_and_has_a_tick_for_each_size() -> None:
    sizes = [record(f"f/{n}x{n}", "dlx", 0.1 * n, cells=n * n) for n in range(2, 12)]
    whole, part, gaps = (
        next(drawing for _, drawing in draw.drawings(stats.tabulate(runs), ["scaling"]))
        for runs in (sizes, [*sizes, record("f/other", "dlx", 1.0)], [*sizes, record("f/12x12", "dlx", cells=144)])
    )
    assert _caption(whole).startswith("# stands for the size. Both axes")
    assert _caption(part).startswith("Of 11 problems, the 10 in families of growing size are drawn; # stands for the size. Both")
    assert "Lines have gaps where a problem was not solved." in _caption(gaps)
    assert [round(place) for place in whole.figure.axes[0].get_xticks()] == [n * n for n in range(2, 12)]


def test_open_points_are_explained_also_alone() -> None:
    assert [panels.about_points(some) for some in ([True], [False], [True, False], [])] == [
        "",
        " (open: has no tiling)",
        " (filled: has a tiling; open: has none)",
        "",
    ]


def test_only_problems_that_differ_in_size_are_joined() -> None:
    sizes = {"mess-01_s": 70, "mess-02_s": 90, "snake-05_s": 5, "snake-10_s": 10, "snake-15_s": 15, "plus_u": 40}
    found = stats.tabulate([record(f"f/{name}", "dlx", 1.0, cells=cells) for name, cells in sizes.items()])
    assert list(names.lines(found.problems, least=2)) == ["f/snake-#_s"]
    for kind, drawing in draw.drawings(found, ["instances", "scaling"]):
        (axes,) = drawing.figure.axes
        lengths = [len(list(line.get_xdata())) for line in axes.lines if line.get_label() == "dlx"]  # type: ignore[arg-type]
        assert lengths == ([1, 1, 3, 1] if kind == "instances" else [3])


def test_up_to_ten_solvers_share_a_survival_panel() -> None:
    runs = [record(f"f/{n}", f"sat:encoding=x{rank}", 0.1 * (n + 1)) for n in range(4) for rank in range(10)]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["survival"])
    assert len(drawing.figure.axes) == 1


def test_letters_of_a_figure_are_text(drawings: list[tuple[str, Drawing]]) -> None:
    """They can be searched, and read aloud; in a PDF their font is embedded."""
    from matplotlib import rc_context

    (survival,) = (drawing for kind, drawing in drawings if kind == "survival")
    with rc_context(style.rc()):
        svg, pdf = (draw.image(survival, form) for form in ("svg", "pdf"))
    assert ">problems solved</text>" in svg.decode()
    # Where there is no DejaVu Sans, letters that are as wide stay within the figure.
    assert "font-family: 'DejaVu Sans', 'Verdana', sans-serif" in svg.decode()
    assert b"/FontFile2" in pdf
    assert b"/Subtype /Type3" not in pdf


def test_letters_are_not_measured_without_latex(drawings: list[tuple[str, Drawing]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(
        BadOption, match=r"pgf is made with LaTeX \(xelatex\), which does not run here: .*xelatex.*; --format pdf"
    ):
        draw.image(drawings[0][1], "pgf")


def test_names_of_problems_are_short() -> None:
    from tiler.report.instances import _names

    long = [record(f"hexagonal/tetrahexes-elongated-hexagon-3x4-{n}_s", "dlx", 0.1) for n in (1, 2)]
    one = [record("edges/row_s", "dlx", 0.1)]
    problems = stats.tabulate(long).problems
    assert set(_names(problems)) == {"tetrahexes-elongated…n-3x4-1_s", "tetrahexes-elongated…n-3x4-2_s"}
    assert set(_names(stats.tabulate(one).problems)) == {"row_s"}
    several = stats.tabulate([*one, record("4O/column_s", "dlx", 0.1)]).problems
    assert set(_names(several)) == {"edges/row_s", "4O/column_s"}  # A panel of several families says which.
    twins = stats.tabulate([record("a/row_s", "dlx", 0.1), record("b/row_s", "dlx", 0.1)]).problems
    assert set(_names(twins)) == {"a/row_s", "b/row_s"}


def test_no_leader_crosses_the_data() -> None:
    """From a line that ends early no thin line leads to its name; from one that ends at the right there is one."""
    runs = [record(f"f/{n}x{n}", "dlx", 0.1 * n) for n in range(2, 8)] + [
        record(f"f/{n}x{n}", "sat", 0.2 if n < 4 else None) for n in range(2, 8)
    ]
    (drawing,) = (drawing for _, drawing in draw.drawings(stats.tabulate(runs), ["instances"]))
    panel = drawing.figure.axes[0]
    leaders = [line for line in panel.lines if line.get_linewidth() == 0.6 and line.get_transform() == panel.transAxes]
    drawn = [line for line in leaders if not math.isnan(line.get_xdata()[0])]
    assert [line.get_color() for line in drawn] == [style.colour("dlx")]


def test_a_heat_map_of_few_problems_has_a_row_for_each_solver() -> None:
    specs = ["dlx", "sat", "fila", "auto"]
    for number, rows in ((2, 4), (6, 7)):
        runs = [record(f"f/{n}", spec, 0.1 * (n + 1)) for n in range(number) for spec in specs]
        (drawing,) = (drawing for _, drawing in draw.drawings(stats.tabulate(runs), ["heatmap"]))
        shown = [label.get_text() for label in drawing.figure.axes[0].get_yticklabels()]
        assert len(shown) == rows
        assert (shown[0] == "f/") == (number == 6)


def test_backends_differ_in_grey() -> None:
    with style.laid_out(style.Layout(palette="grey")):
        looks = style.looks(["auto", "dlx", "sat", "fila"])
    assert len({(look.colour, str(look.dash)) for look in looks.values()}) == 4
    assert looks["auto"].dash != looks["dlx"].dash
    assert all(style.grey(paint) <= 0.55 for paint in style.PALETTES["grey"])


def _many_variants() -> stats.Table:
    """Fourteen variants, each slower than the one before it."""
    specs = [f"sat:encoding={kind}-{n}" for kind in ("amk", "amo") for n in "abcdefg"]
    return stats.tabulate(
        [record(f"f/{n}x{n}_s", spec, 0.01 * n * (rank + 1), cells=n * n) for n in range(2, 6) for rank, spec in enumerate(specs)]
    )


def test_of_many_solvers_the_best_the_worst_and_those_asked_for_have_a_colour() -> None:
    table = _many_variants()
    best, named, worst = table.solvers[0], table.solvers[6], table.solvers[-1]
    for highlight, shown in (((), {best, worst}), ((named,), {best, named, worst})):
        with style.laid_out(style.Layout(highlight=highlight)):
            looks, called = style.looks_of(table), panels.labels_of(table)
            assert len({looks[solver].colour for solver in shown}) == len(shown)
            for kind, drawing in draw.drawings(table, ["survival", "profile", "instances", "scaling"]):
                (axes,) = drawing.figure.axes
                words = {text.get_text().partition("  ")[0] for text in axes.texts} - {"virtual best"}
                assert words == {called[solver] for solver in shown} | {f"{14 - len(shown)} others"}, kind
                colours = {str(line.get_color()) for line in axes.lines if line.get_linewidth() > 1}
                assert colours - {style.FAINT} == {looks[solver].colour for solver in shown}, kind
                assert "In colour are the best and the worst solver" in _caption(drawing), kind


def test_a_solver_to_highlight_is_named_as_it_is_called(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from tiler.report import chosen_records

    runs = [record("f/1", spec, 1.0) for spec in ("sat:encoding=amk-bdd,engine=glucose4", "sat:encoding=amo-pairwise", "dlx")]
    for name, found in (
        ("sat:encoding=amk-bdd,engine=glucose4", [0]),
        ("glucose4 amk-bdd,sat amo-pairwise", [0, 1]),
        ("amo-pairwise", [1]),
        ("sat", [0, 1]),
    ):
        assert chosen_records.named(runs, [name]) == tuple(runs[place]["solver"] for place in found)
    status, _, error = call(capsys, "plot", str(results), "--kind", "survival", "--highlight", "dlx,dxl")
    assert (status, error.count("\n")) == (2, 1)
    assert "no record is by dxl; nearest: dlx" in error


def test_a_heading_names_the_campaign_and_the_part_of_it(results: Path) -> None:
    assert main(["plot", str(results), "--kind", "survival", "--filter", "f/*", "--solver", "dlx", "--format", "svg"]) == 0
    page = (results / "plots/survival.svg").read_text()
    assert ">Problems solved within a time: results; filter f/*; solver dlx</text>" in page


def test_a_solver_that_only_proves_is_asked_about_nothing_else() -> None:
    """A board with a tiling is no timeout of it, and counts nowhere; one that it does not decide is a timeout."""
    none = {"status": "unsat", "expected": {"verdict": "unsat", "count": 0}}
    runs = [record(f"f/{n}x{n}_s", spec, 0.1 * n) for n in range(2, 7) for spec in ("dlx", "sat")]
    runs += [record(f"f/{n}x{n}_s", "coloring") for n in range(2, 7)]
    runs += [record("f/7x7_u", "coloring", 0.2, **none), record("f/8x8_u", "coloring", expected=none["expected"])]
    table = stats.tabulate(runs)
    page = runs_page.data(runs, stats.Clock.SOLVE)
    asked = [page["ends"][row[3]] for row in page["rows"] if page["solvers"][row[1]]["label"] == "coloring"]
    assert asked == ["refused"] * 5 + ["solved", "timeout"]
    ends = [table.cell(problem, "coloring").end for problem in table.problems]
    assert ends == [stats.End.REFUSED] * 5 + [stats.End.SOLVED, stats.End.TIME]
    for kind, drawing in draw.drawings(table, ["survival", "instances", "heatmap", "profile"]):
        words = [text.get_text() for axes in drawing.figure.axes for text in axes.texts]
        assert words.count("T") == (kind in ("instances", "heatmap")), kind
        assert ("coloring  1/2" in words) == (kind == "survival"), kind
        told = (
            "Left out, as they only prove: coloring." if kind == "profile" else "coloring can only prove that there is no tiling"
        )
        assert told in _caption(drawing), kind


def test_encodings_need_two_of_them() -> None:
    runs = [record(f"f/{n}", "sat", 0.1, stats={"clauses": 10 + n}) for n in range(5)]
    assert draw.suitable(stats.tabulate(runs), ["encodings"]) == ()
    other = [run | {"solver": "sat:encoding=amo-pairwise"} for run in runs]
    assert draw.suitable(stats.tabulate([*runs, *other]), ["encodings"]) == ("encodings",)


def test_a_line_of_instances_is_not_cut_by_problems_of_other_lines() -> None:
    """Boards of one family with and without a tiling, by size in turn: a line each, and none is cut where a panel ends."""
    names_ = [f"3I/{kind}{n:02}x{n:02}_{end}" for n in range(4, 20) for kind, end in (("", "s"), ("L-", "u"), ("L-", "s"))]
    runs = [record(name, "dlx", 0.1, cells=place) for place, name in enumerate(names_)]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["instances"])
    assert [panel.get_title(loc="left") for panel in drawing.figure.axes] == ["3I, 1 of 2", "3I, 2 of 2"]
    lengths = [
        len(list(line.get_xdata()))  # type: ignore[arg-type]
        for panel in drawing.figure.axes
        for line in panel.lines
        if line.get_label() == "dlx"
    ]
    assert lengths == [16, 16, 16]


def test_the_axes_of_survival_are_those_of_the_page() -> None:
    """tests/apps/studio/page/runs.test.mjs has the page's, of the same runs."""
    limits = {"limits": LIMITS | {"seconds": 5.0}}
    runs = [
        record("4L/10x10_u", "dlx", 0.5, **limits),
        record("4L/10x10_u", "fila:order=s", **limits),
        record("4L/06x06_u", "dlx", 0.25, **limits),
        record("heart", "fila:order=s", 2.0, category="wrong", **limits),
    ]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["survival"])
    (panel,) = drawing.figure.axes
    assert (panel.get_xlim(), panel.get_ylim()) == (pytest.approx((0.1, 5)), pytest.approx((0, 3 * 1.04)))
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("solve seconds for each problem", "problems solved")


def test_the_sample_of_the_virtual_best_ends_before_its_name(drawings: list[tuple[str, Drawing]]) -> None:
    from matplotlib import rc_context

    (survival,) = (drawing for kind, drawing in drawings if kind == "survival")
    with rc_context(style.RC):
        survival.figure.draw_without_rendering()
    (panel,) = survival.figure.axes
    (name,) = (text for text in panel.texts if text.get_text().startswith("virtual best"))
    samples = [
        line for line in panel.lines if line.get_transform() == panel.transAxes and line.get_marker() == "None"
        and line.get_linewidth() > 0.6
    ]  # fmt: skip
    (sample,) = samples
    assert sample.get_solid_capstyle() == "butt"
    gap = name.get_window_extent().x0 - panel.transAxes.transform((list(sample.get_xdata())[-1], 0))[0]  # type: ignore[arg-type]
    assert gap * 72 / survival.figure.dpi >= 2.5


def test_captions_describe_what_is_drawn() -> None:
    few = [record(f"f/{n}", "sat", 0.1 * (n + 1), stats={"nodes": 10 * n + 5, "clauses": 5}) for n in range(6)]
    none = {"status": "unsat", "expected": {"verdict": "unsat", "count": 0}}
    sizes = [record(f"f/{n}x{n}_u", "dlx", 0.1 * n, cells=n * n, stats={"nodes": 9 * n}, **none) for n in range(2, 10)]
    many = [*few, *sizes, record("f/10x10_u", "dlx", cells=100)]
    far = {"limits": LIMITS | {"seconds": 1000.0}}
    without, with_them = (
        {kind: _caption(drawing) for kind, drawing in draw.drawings(stats.tabulate([run | far for run in runs]))}
        for runs in (few, many)
    )
    for kind, words in (
        ("instances", "Lines join"),
        ("instances", "Above a panel, after the marker of a solver, are its runs without an answer (T: timeout)."),
        ("effort", "grey points are those of the other solvers"),
        ("effort", "(filled: has a tiling; open: has none)"),
        ("heatmap", "T: timeout"),
        ("survival", "virtual best"),
    ):
        assert words not in without[kind], kind
        assert words in with_them[kind], kind
    assert "dotted line is the time limit." in with_them["instances"]
    assert "dotted" not in with_them["scaling"]  # The limit is far above.


def _caption(drawing: Drawing) -> str:
    return " ".join(drawing.figure.caption.split())  # type: ignore[attr-defined]


def test_a_mean_of_few_points_has_no_panel() -> None:
    runs = [record(f"f/{n}", "dlx", 0.1, stats={"nodes": 10 + n}) for n in range(5)]
    runs += [record(f"f/{n}", "sat", 0.1, stats={"nodes": 10 + n, "clauses": 5}) for n in range(2)]
    table = stats.tabulate(runs)
    assert draw.suitable(table, ["encodings"]) == ()
    ((_, drawing),) = draw.drawings(table, ["effort"])
    assert len(drawing.figure.axes) == 1
    assert "Left out, as they have few points: sat (n = 2)." in _caption(drawing)
    assert {row["solver"] for row in drawing.rows} == {"dlx", "sat"}


def test_marks_above_a_panel_do_not_lie_on_each_other(drawings: list[tuple[str, Drawing]]) -> None:
    """A run without an answer has the letter of its end above the panel, in the row of its solver, which begins with the marker.
    No letter is the marker of a solver."""
    marks = dict.fromkeys(("instances", "scaling"), 0)
    for kind, drawing in drawings:
        for axes in drawing.figure.axes if kind in marks else ():
            above = {
                (float(text.get_position()[0]), round(float(text.get_position()[1]), 4)): text.get_text()
                for text in axes.texts
                if text.get_transform() == axes.get_xaxis_transform()
            }
            rows = [line for line in axes.lines if line.get_transform() == axes.transAxes and line.get_xdata()[0] < 0]
            assert {y for _, y in above} == {round(float(line.get_ydata()[0]), 4) for line in rows}
            assert len({line.get_marker() for line in rows}) == len(rows)
            assert set(above.values()) <= {letter for letter, _ in style.ENDS.values()} - {""}
            marks[kind] += len(above)
    assert marks == {"instances": 6, "scaling": 6}


@pytest.mark.parametrize("limit", [10, 10**6])
def test_the_numbers_of_an_axis_are_written_alike(limit: int) -> None:
    from matplotlib.figure import Figure

    axes = Figure(figsize=(8, 4)).add_axes((0.1, 0.1, 0.8, 0.8))
    axes.set_xscale("log")
    axes.set_xlim(1, 1000 * limit)
    style.number_axis(axes.xaxis)
    shown = [axes.xaxis.get_major_formatter()(value) for value in axes.get_xticks()]
    assert shown == {10: ["1", "10", "100", "1,000", "10,000"]}.get(
        limit, ["1", "10", "100", "1 k", "10 k", "100 k", "1 M", "10 M", "100 M", "1 G"]
    )


def test_boxes_span_what_their_labels_count() -> None:
    """A run without an answer counts as the limit; a solver that was asked less shrinks no box, and stands apart."""
    specs = ["a", "b", "c", "d", "late"]
    runs = [
        record(f"f/{n}", spec, None if (n, spec) == (8, "a") else 1.0 + n)
        for n in range(9)
        for spec in specs
        if spec != "late" or n < 4
    ]
    ((_, drawing),) = draw.drawings(stats.tabulate(runs), ["boxes"])
    (panel,) = drawing.figure.axes
    assert [label.get_text() for label in panel.get_yticklabels()] == ["a  8/9", "b  9/9", "c  9/9", "d  9/9", "late  4/4"]
    assert {spec: sum(row["solver"] == spec for row in drawing.rows) for spec in specs} == {**dict.fromkeys(specs, 9), "late": 4}
    whiskers = [float(max(line.get_xdata())) for line in panel.lines if len(set(line.get_ydata())) == 1]
    assert max(whiskers) == LIMITS["seconds"]
    assert [line.get_linewidth() for line in panel.lines if line.get_color() == style.FAINT] == [0.9, 0.7, 0.7, 0.7, 2.0]
    assert "Below the thick line: solvers asked about other problems" in _caption(drawing)
