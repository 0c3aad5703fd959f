"""The report: what is wrong comes first, the words follow from the data, and the page needs no other file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from records import TABLE, campaign, record

from tiler.bench import stats
from tiler.bench.job import SCHEMA
from tiler.bench.stats import Clock, tabulate
from tiler.bench.store import Store
from tiler.cli.main import main
from tiler.report import document, findings, panels, tables
from tiler.report.document import Bullets, Figure, Heading, Links, Paragraph, Tabular

pytestmark = pytest.mark.long


def test_tables_hold_the_statistics() -> None:
    grid = tables.solvers(TABLE)
    by_name = {row[0]: dict(zip(grid.heads, row, strict=True)) for row in grid.rows}
    assert list(by_name) == ["b", "a", "c", "virtual best"]
    assert by_name["b"] | {"SGM (s)": ""} == {
        "solver": "b",
        "solved": "3",
        "of": "4",
        "timeouts": "1",
        "missing": "",
        "PAR-2 (s)": "9.75",
        "SGM (s)": "",
        "median (s)": "8.00",
        "least (s)": "2.00",
        "most (s)": "9.00",
        "fastest on": "1",
        "alone on": "1",
    }
    assert [by_name["c"][head] for head in ("solved", "of", "missing")] == ["1", "2", "2"]
    assert (by_name["virtual best"]["solved"], by_name["virtual best"]["of"]) == ("3", "4")
    gains = tables.speedups(TABLE)
    assert gains is not None
    assert gains.heads == ("faster than", "b", "a", "c")
    assert gains.rows[1] == ("a", "4.00 (2 of 4)", "", "4.00 (1 of 2)")
    assert tables.families(TABLE).rows == (
        ("f", "2", "2/2", "1.00", "2/2", "4.00", "1/2", "4.00"),
        ("g", "2", "0/2", "", "1/2", "9.00", "", ""),
    )


def test_findings_are_sentences_about_the_data() -> None:
    overall = findings.overall(TABLE)
    assert "4 problems, 3 solved by some solver; unsolved: g/4." in overall
    assert "b solved the most (3), with a PAR-2 of 9.75 s." in overall
    assert "a is the fastest most often: on 2 of the 3 solved problems." in overall
    assert "Only b solved g/3." in overall
    assert "2 runs of 12 were never made; they count nowhere." in overall
    assert findings.by_family(TABLE) == [
        "f (2): a is the fastest of the solvers that solved the most (all), geometric mean 1.00 s, 4.0 times faster than b, "
        "which is within the scatter of the problems; fewer: c 1.",
        "g (2): b is the fastest of the solvers that solved the most (1 of 2), geometric mean 9.00 s; fewer: a 0; unsolved: g/4.",
    ]


def test_a_solver_whose_rivals_refused_is_not_called_the_fastest_or_the_only_one() -> None:
    refused = {"category": "refused", "status": "unknown", "stop": "done"}
    alone: list[Any] = [run for n in (1, 2) for run in (record(f"f/{n}", "a", 1.0), record(f"f/{n}", "b", **refused))]
    table = tabulate(alone)
    assert [row[-2:] for row in tables.solvers(table).rows[:2]] == [("0", "0")] * 2
    assert "count only the 0 problems that several solvers were asked about" in tables.solvers(table).note
    assert not any("fastest" in text or "Only a" in text for text in findings.overall(table))
    assert findings.by_family(table) == ["f (2): only a was asked, and solved all, geometric mean 1.00 s."]
    both = tabulate([*alone, record("g/3", "a"), record("g/3", "b", 9.0)])
    overall = findings.overall(both)
    assert "b is the fastest on the only solved problem that several solvers were asked about." in overall
    assert [text for text in overall if text.startswith("Only")] == ["Only b solved g/3."]


def test_rows_credit_no_solver_with_what_was_known_beforehand() -> None:
    known: Any = record("f/1", "a", 1e-4, status="unsat", category="beforehand", stats={"nodes": 0})
    searched: Any = record("f/2", "a", 2.0, stats={"nodes": 7})
    rows = tables.record_rows([known, searched])
    assert [(row["nodes"], row["solve_seconds"]) for row in rows] == [(None, None), (7, 2.0)]


def test_what_rests_on_agreement() -> None:
    proved = record("u", "p", 1.0, status="unsat", verified=0, proved=True)
    agreed = record("u", "q", 1.0, status="unsat", verified=0, proved=False)
    text = findings.trust([record("s", "p", 1.0), proved, agreed, record("t", "q")])
    assert text.startswith("3 answers: 1 are tilings that the verifier accepted, and 1 are proofs that the checker accepted.")
    assert "The other 1 (no tiling found, or a count) were only compared" in text


def test_wrong_answers_and_failures() -> None:
    table = stats.tabulate(campaign())
    assert findings.wrong(table.records) == ["f/square-04x04_s: sat amk-bdd: no"]
    assert findings.failed(table) == ["dlx failed on 1 problem; most often (1 times): died"]


BLOCKS = (
    Heading("Title & more", 1),
    Paragraph("Loud <words>.", loud=True),
    Bullets(("one", "two")),
    Tabular(("a", "b"), (("x|y", "!7"),), "note"),
    Figure("plots/p", "A picture", b"<svg/>", ("pdf", "csv")),
    Links(("runs.jsonl",)),
)


def test_markdown() -> None:
    text = document.markdown(BLOCKS)
    assert text.startswith(
        "# Title \\& more\n\n**Loud \\<words\\>.**\n\n- one\n- two\n\n| a | b |\n| --- | ---: |\n| x\\|y | **7** |\n"
    )
    assert "![A picture](plots/p.svg)" in text
    assert text.endswith("- [runs.jsonl](runs.jsonl)\n")


class Page(HTMLParser):
    """The tags of a page, checked for being closed, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.references: list[str] = []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.references += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_html() -> None:
    text = document.html("T", BLOCKS)
    page = Page(text)
    assert "<h1>Title &amp; more</h1>" in text
    assert "<p><strong>Loud &lt;words&gt;.</strong></p>" in text
    assert '<td>x|y</td>\n<td style="text-align:right"><strong>7</strong></td>' in text
    assert page.references == ["data:image/svg+xml;base64,PHN2Zy8+", "runs.jsonl"]


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path) as store:
        for each in campaign():
            store.append(each)
    assert main(["report", str(tmp_path), "--title", "All of it"]) == 4
    assert capsys.readouterr().out.split() == [str(tmp_path / "report.md"), str(tmp_path / "report.html")]
    text = (tmp_path / "report.md").read_text()
    headings = re.findall("^#+ (.*)$", text, re.M)
    assert headings[:3] == ["All of it", "Wrong answers", "Results"]
    assert headings[-2:] == ["What was run where", "Records"]
    assert "Machine: A CPU, 2 cores, Linux" in text
    for path in re.findall(r"\((plots/[^)]*)\)", text):
        assert (tmp_path / path).exists()
    page = Page((tmp_path / "report.html").read_text())
    pictures = [reference for reference in page.references if reference.startswith("data:")]
    assert len(pictures) >= 8
    assert {*page.references} - {*pictures} == {"runs.jsonl", "env.json"}


def test_a_good_campaign_is_no_failure(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(record("x", "dlx", 1.0, schema=SCHEMA))
    assert main(["report", str(tmp_path)]) == 0
    assert "1 run, no wrong answer." in (tmp_path / "report.md").read_text()


def test_a_report_with_chosen_plots_links_to_no_others(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        for each in campaign():
            store.append(each)
    main(["report", str(tmp_path), "--kind", "survival"])
    files = {path.name for path in (tmp_path / "plots").iterdir()}
    assert files == {"survival.svg", "survival.pdf", "survival.csv"}
    links = re.findall(r"\((plots/[^)]*)\)", (tmp_path / "report.md").read_text())
    assert sorted(links) == ["plots/survival.csv", "plots/survival.pdf", "plots/survival.svg"]


def test_what_part_of_the_seconds_is_the_engines() -> None:
    runs = [
        record(f"f/{n}", "sat:encoding=amk-bdd", 1.0 + n, stats={"model_seconds": 0.5, "engine_seconds": 0.25 * n})
        for n in range(3)
    ]
    runs += [record("f/9", "sat:encoding=amk-bdd"), record("f/0", "dlx", 1.0)]
    (said,) = findings.engines(runs)
    assert "are 2.00 s in all, 500 ms to make the model, and 250 ms in the engine;" in said


def test_one_solved_problem_is_no_share() -> None:
    table = stats.tabulate([record("f/1", "a", 1.0), record("f/1", "b", 2.0)])
    assert "a is the fastest on the only solved problem." in findings.overall(table)


@pytest.mark.parametrize(("factor", "shown"), [(0.0967, "0.10"), (0.1, "0.10"), (0.094, "0.09"), (0.0321, "0.03")])
def test_a_factor_has_the_same_digits_on_both_sides_of_a_tenth(factor: float, shown: str) -> None:
    runs = [record("f/1", "a", 1.0), record("f/1", "b", factor)]
    speedups = tables.speedups(stats.tabulate(runs))
    assert speedups is not None
    assert f"{shown} (1)" in [cell for row in speedups.rows for cell in row]


@pytest.mark.parametrize(
    ("jobs", "load", "busy"),
    [(1, 1.3, False), (1, 3.4, True), (2, 2.4, False), (2, 3.2, False), (2, 3.4, True), (4, 6.0, False), (4, 7.0, True)],
)
def test_who_was_busy_besides(jobs: int, load: float, busy: bool) -> None:
    """Two runs at a time on two cores are a load of two and more, with what starts and watches them, and no disturbance."""
    runs = [record("f/1", "a", 1.0, jobs=jobs, load=load, environment={"cores": 2})]
    assert any("1 of 1 run shared the processor with other programs" in warning for warning in findings.warnings(runs)) == busy


def test_a_paper_names_no_option_of_the_command() -> None:
    runs = [record("f/1", "a", 1.0, jobs=1, load=3.4, environment={"cores": 2})]
    (shown,), (printed,) = findings.warnings(runs), findings.warnings(runs, for_paper=True)
    assert shown.endswith("CPU seconds (--clock cpu) suffer less from this.")
    assert printed.endswith("CPU seconds suffer less from this.")


def made_by(solver: str, sources: str | None, commit: str | None = None, version: str = "1") -> dict[str, Any]:
    return record("f/1", solver, 1.0, sources=sources, versions={"tiler": version}, environment={"commit": commit})


@pytest.mark.parametrize(
    ("runs", "versions"),
    [
        # Each backend has a fingerprint of its own: these are of one installation.
        ([made_by("dlx", "d1"), made_by("dlx:order=first", "d1"), made_by("fila", "f1"), made_by("sat", "s1")], ["tiler 1"]),
        ([made_by("dlx", "d1"), made_by("dlx", "d2"), made_by("fila", "f1")], ["tiler 1 (code d1)", "tiler 1 (code d2)"]),
        ([made_by("dlx", "d1", "abc"), made_by("fila", "f1", "abc")], ["tiler 1 (abc)"]),
        ([made_by("dlx", "d1", "abc"), made_by("dlx", "d1", "def")], ["tiler 1 (abc)"]),
        ([made_by("dlx", "d1", "abc"), made_by("dlx", "d2", "def")], ["tiler 1 (abc)", "tiler 1 (def)"]),
        ([made_by("dlx", None), made_by("dlx", None, version="2")], ["tiler 1", "tiler 2"]),
        ([record("f/1", "dlx", 1.0)], []),
    ],
)
def test_an_installation_is_one_version_of_the_code(runs: list[dict[str, Any]], versions: list[str]) -> None:
    assert list(panels.codes(runs)) == versions


def test_the_title_of_a_campaign_is_that_of_its_report(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.append(record("x", "dlx", 1.0, schema=SCHEMA))
        store.entitle("Old")
        store.entitle("Orders & more")
        store.write_environment({"schema": "tiler-environment-1"})
    assert main(["report", str(tmp_path)]) == 0
    assert (tmp_path / "report.md").read_text().startswith("# Orders \\& more\n")
    assert main(["report", str(tmp_path), "--draft", str(tmp_path / "draft")]) == 0
    assert "Orders \\& more" in (tmp_path / "draft/draft.tex").read_text()


def test_captions_tell_of_load() -> None:
    there = {"environment": {"cores": 2}, "jobs": 1}
    quiet = [record(f"f/{n}", "dlx", 1.0, load=1.0, **there) for n in range(3)]
    assert "under load" not in panels.context(stats.tabulate(quiet))
    busy = [*quiet, record("f/9", "dlx", 1.0, load=4.0, **there)]
    assert "; made under load: 1 of these runs shared the processor" in panels.context(stats.tabulate(busy))


def test_captions_count_runs_and_not_medians() -> None:
    load = {"load": 4.0, "environment": {"cores": 2}}
    runs = [record("f/1", "a", 1.0, repeat=repeat, **load) for repeat in range(3)]
    runs += [record("f/1", "b", repeat=repeat, cpu_seconds=1.0 + 5 * repeat, **load) for repeat in range(3)]
    caption = panels.context(stats.tabulate(runs))
    assert "1 problem, 2 solvers, 6 runs of" in caption
    assert "6 of these runs shared the processor" in caption
    assert "1 of 3 timeouts had less than half of the limit" in caption
    assert findings.trust(stats.tabulate(runs).records).startswith("3 answers: 3 are tilings")


def test_a_factor_of_one_problem_says_so() -> None:
    runs = [record("f/1", "a", 1.0), record("f/2", "a"), record("f/1", "b", 5.0), record("f/2", "b"), record("g/1", "a", 1.0)]
    runs.append(record("g/1", "b", 2.0))
    one, all_of_it = findings.by_family(stats.tabulate(runs))
    assert "5.0 times faster than b on one problem; unsolved: f/2" in one
    assert "2.0 times faster than b." in all_of_it


def families(a: Sequence[float | None], b: Sequence[float | None]) -> list[str]:
    runs = [record(f"f/{n}", solver, seconds) for solver, took in (("a", a), ("b", b)) for n, seconds in enumerate(took)]
    return findings.by_family(stats.tabulate(runs))


def test_the_fastest_is_ranked_by_the_mean_that_is_quoted() -> None:
    """The median of a is larger than that of b."""
    (text,) = families([1.0, 8.1, 8.2], [6.0, 7.9, 8.0])
    assert (
        "a is the fastest of the solvers that solved the most (all), geometric mean 4.05 s, 1.79 times faster than b, which"
        in text
    )
    assert "which is within the scatter of the problems." in text


def test_a_lead_has_its_interval() -> None:
    (text,) = families([1.0, 2.0, 3.0, 4.0], [2.0, 4.2, 5.8, 8.1])
    assert "2.0 times faster than b (1.91 to 2.13)." in text
    (text,) = families([None, 1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 4.2, 5.8, None])
    assert "geometric mean 1.82 s, 2.0 times faster than b (1.81 to 2.23) on 3 problems." in text


WARM = {"runs": 3, "first_seconds": 2, "least_seconds": 1, "most_seconds": 1, "wall_seconds": 3, "cpu_seconds": 3}


@pytest.mark.parametrize(
    ("warm", "clock", "told"),
    [
        (0, Clock.SOLVE, "cold start: the first run of a process"),
        (1, Clock.SOLVE, "warm start (the median of repeats within a process) in 1 of 2 answered runs, cold"),
        (2, Clock.SOLVE, "warm start: the median of repeats within a process"),
        (2, Clock.WALL, "cold start: the first run of a process"),
    ],
)
def test_captions_and_tables_tell_whether_the_start_was_warm(warm: int, clock: Clock, told: str) -> None:
    runs = [record(f"f/{n}", "dlx", 1.0, warm=WARM if n < warm else None) for n in range(2)]
    table = stats.tabulate([*runs, record("f/2", "dlx")], clock)
    assert f"; {told}" in panels.context(table)
    assert f"{told[0].upper()}{told[1:]}" in tables.solvers(table).note
    assert "start" not in panels.context(stats.tabulate([record("f/2", "dlx")]))


def test_timeouts_with_little_of_a_core_are_told() -> None:
    """Those with less than half of the limit of 10 s in CPU seconds."""
    runs = [record("f/0", "dlx", 1.0, cpu_seconds=1.0), *(record(f"f/{n}", "dlx", cpu_seconds=float(n)) for n in (4, 5, 9))]
    told = "1 of 3 timeouts had less than half of the limit in CPU seconds"
    assert f"{told}: other programs took the processor, or the solver waited." in findings.warnings(runs)
    assert f"; {told}: other programs took the processor, or the solver waited." in panels.context(stats.tabulate(runs))
    assert not any("timeout" in warning for warning in findings.warnings(runs[2:]))
