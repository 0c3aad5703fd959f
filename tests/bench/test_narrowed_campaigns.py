"""A filter of the command chooses among the problems of a campaign's parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

from tiler.bench import plan
from tiler.bench.plan import Campaign, CampaignPart

FILE = """\
solvers = ["dlx"]
[[part]]
filter = ["a/"]
[[part]]
tag = ["large"]
solvers = ["fila"]
[[part]]
instances = ["extra/P.txt", "extra/PT.txt"]
solvers = ["backtracking"]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three problems, and two problem files."""
    for name, tags in {
        "problems/a/2x2": "",
        "problems/a/2x4": "large",
        "problems/b/4x4": "large",
        "extra/P": "",
        "extra/PT": "",
    }.items():
        path = tmp_path / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# tags: {tags}\n4x4\n\n2\n" if tags else "4x4\n\n2\n")
    (tmp_path / "campaign.toml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def narrowed(*filters: str, tags: tuple[str, ...] = ()) -> Campaign:
    return plan.read("campaign.toml").narrowed(filters, tags)


def pairs(campaign: Campaign) -> list[tuple[str, str]]:
    """The names of problems and solvers of the runs."""
    return [(job.name, job.solver.partition(":")[0]) for job in campaign.runs().jobs]


def test_each_part_keeps_what_it_has_of_the_filter() -> None:
    assert pairs(narrowed("2x4")) == [("a/2x4", "dlx"), ("a/2x4", "fila")]
    assert pairs(narrowed("b/", "/P$/")) == [("b/4x4", "fila"), ("extra/P", "backtracking")]
    assert pairs(narrowed("extra")) == [("extra/P", "backtracking"), ("extra/PT", "backtracking")]


def test_a_part_without_problems_is_left_out() -> None:
    assert [part.solvers for part in narrowed("P").parts] == [("backtracking",)]


def test_tags_narrow_too() -> None:
    assert pairs(narrowed(tags=("large",))) == [("a/2x4", "dlx"), ("a/2x4", "fila"), ("b/4x4", "fila")]
    assert pairs(narrowed("a/", tags=("large",))) == [("a/2x4", "dlx"), ("a/2x4", "fila")]


def test_what_fits_whole_parts_changes_nothing() -> None:
    assert narrowed("x", "P") == plan.read("campaign.toml") == narrowed()


def test_a_part_that_names_no_problems_takes_all_that_fit() -> None:
    free = Campaign(parts=(CampaignPart(solvers=("dlx",)),)).narrowed(["b/"], [])
    assert free.parts[0].filter == ("b/",)
    assert pairs(free) == [("b/4x4", "dlx")]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        (("--filter", "c/"), "no problem of this campaign fits 'c/'; problems: a/2x2, a/2x4, b/4x4, extra/P, extra/PT"),
        (
            ("--filter", "a/", "--filter", "c/"),
            "no problem of this campaign fits 'c/'; problems: a/2x2, a/2x4, b/4x4, extra/P, extra/PT",
        ),
        (("--tag", "small"), "no problem of this campaign has the tag small; tags: large"),
        (("--filter", "P", "--tag", "large"), "no problem of this campaign that fits 'P' has the tag large; tags: large"),
    ],
)
def test_nothing_left_is_an_error_of_one_line(capsys: pytest.CaptureFixture[str], asked: tuple[str, ...], error: str) -> None:
    assert call(capsys, "bench", "campaign.toml", *asked, "--dry-run") == (2, "", f"tiler: {error}\n")


def test_many_problems_are_named_by_their_families(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    for number in range(7):
        (here / f"problems/a/{number}.txt").write_text("4x4\n\n2\n")
    status, _, error = call(capsys, "bench", "campaign.toml", "--filter", "c/", "--dry-run")
    assert (status, error) == (2, "tiler: no problem of this campaign fits 'c/'; families: a (9), b (1), extra (2)\n")


def test_the_command_lists_the_narrowed_runs(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "bench", "campaign.toml", "--filter", "/P$/", "--dry-run", "--verbose")
    assert (status, out) == (
        0,
        "extra/P  backtracking:filter=off,anchor=off,order=default,cells=rows  seed 0  repeat 0  form 0\n",
    )
