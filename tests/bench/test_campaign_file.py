"""The campaign in the folder of its records, and in which folder that is."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import status_of
from records import record_of_run

from tiler import formats
from tiler.backends import plugins
from tiler.backends.registry import backends, parse_spec
from tiler.bench import campaign_file, plan, record
from tiler.bench.campaign_file import PLAN
from tiler.bench.job import Job
from tiler.bench.plan import Campaign, CampaignPart
from tiler.bench.store import Store
from tiler.question.question import Goal, Limits, Question

FIRST = CampaignPart(
    filter=("a/", "/^b.*$/"), tag=("small",), solvers=("dlx", "sat:encoding=*"), time_limit=2.5, repeat=3, seeds=2
)
SECOND = CampaignPart("extra", instances=("one.txt",), only=("one",), goal=Goal.COUNT, memory_limit=300, threads=2)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three problems."""
    for name in ("a/2x2", "a/2x4", "b/4x4"):
        path = tmp_path / "problems" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.stem}\n\n2\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tiler.backends.registry._registered", dict(backends()))  # Solvers that a test registers go with it.
    return tmp_path


def kept(*campaigns: Campaign) -> Campaign:
    """What stands in the folder after some campaigns."""
    folder = Path("results/x")
    folder.mkdir(parents=True, exist_ok=True)
    for each in campaigns:
        campaign_file.keep(each, folder)
    return plan.read(str(folder / PLAN))


@pytest.mark.parametrize("parts", [(FIRST,), (SECOND,), (FIRST, SECOND), (CampaignPart(),)])
def test_what_was_asked_for_is_read_as_it_was(here: Path, parts: tuple[CampaignPart, ...]) -> None:
    assert kept(Campaign('A "title"', None, parts)) == Campaign('A "title"', "results/x", parts)


def test_one_more_campaign_is_one_more_part(here: Path) -> None:
    assert kept(Campaign("t", None, (FIRST,)), Campaign("u", None, (SECOND, FIRST))) == Campaign(
        "t", "results/x", (FIRST, SECOND)
    )
    file = Path("results/x") / PLAN
    file.write_text(f"# Mine.\n{file.read_text()}")
    kept(Campaign(parts=(FIRST,)))
    assert file.read_text().startswith("# Mine.\n")  # There is nothing to add.


def test_programs_are_declared_there_too(here: Path) -> None:
    (here / "count.py").write_text("print('s SATISFIABLE')")
    table = 'name = "mine"\ncommand = "{python} ./count.py {cnf}"\ninput = "cnf"\noutput = "dimacs"\ncolour = "#112233"\n'
    Path("asked.toml").write_text(
        f'solvers = ["mine", "dlx"]\nfilter = ["a/"]\n[[solver]]\n{table}version = "./count.py --version"'
    )
    asked = plan.read("asked.toml")
    before = [job.key for job in asked.runs().jobs]
    again = kept(asked)
    assert 'folder = "../.."' in (Path("results/x") / PLAN).read_text()
    assert again.parts == asked.parts
    assert [job.key for job in again.runs().jobs] == before  # Their records are found again.
    assert parse_spec("mine").absent() is None


def test_the_command_for_solvers_from_files_is_told(here: Path) -> None:
    Path("own.py").write_text(
        "from dataclasses import dataclass\nfrom typing import ClassVar\nfrom tiler.backends.base import Backend\n"
        "from tiler.backends.registry import register\n\n@register\n@dataclass(frozen=True)\n"
        'class OwnForFile(Backend):\n    """Mine."""\n\n    name: ClassVar[str] = "own-for-file"\n'
    )
    plugins.load("own.py")
    text = campaign_file.text(Campaign(parts=(CampaignPart(solvers=("own-for-file",)),)), Path("out"))
    assert text.splitlines()[0].endswith("tiler bench --load own.py out/campaign.toml")


NO_LIMITS = Limits()


def asked(name: str, goal: Goal = Goal.DECIDE, limits: Limits = NO_LIMITS) -> Job:
    return Job(formats.read(Path(f"problems/{name}.txt"), name=name), "dlx", Question(goal, limits))


def recorded(job: Job, folder: Path) -> None:
    with Store(folder) as store:
        store.append(record_of_run(job))


def strangers(folder: Path, campaign: Campaign, *jobs: Job) -> list[str]:
    return [each["instance"] for each in campaign_file.strangers(folder, campaign, jobs)]


def test_records_of_other_problems(here: Path) -> None:
    out, small = Path("out"), Campaign(parts=(CampaignPart(filter=("a/",)),))
    one, other, more = map(asked, ("a/2x2", "b/4x4", "a/2x4"))
    assert strangers(out, small, one) == []
    for job in (one, other):
        recorded(job, out)
    assert strangers(out, small, one, other, more) == []  # It may ask for more.
    assert strangers(out, small, one) == ["b/4x4"]
    campaign_file.keep(small, out)
    assert strangers(out, small, one) == []  # It was asked for there.


@pytest.mark.parametrize(
    ("goal", "limits"), [(Goal.COUNT, Limits()), (Goal.DECIDE, Limits(seconds=9)), (Goal.DECIDE, Limits(threads=2))]
)
def test_records_of_other_questions(here: Path, goal: Goal, limits: Limits) -> None:
    out, campaign = Path("out"), Campaign(parts=(CampaignPart(filter=("a/",)),))
    recorded(asked("a/2x2"), out)
    assert strangers(out, campaign, asked("a/2x2", goal, limits)) == ["a/2x2"]
    assert strangers(out, campaign, asked("a/2x2"), asked("a/2x2", goal, limits)) == []


def names(folder: str) -> list[str]:
    return sorted({each["instance"] for each in record.read(Path(folder)).records})


@pytest.mark.long
def test_two_campaigns_are_not_mixed_unseen(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def bench(*arguments: str) -> str:
        assert status_of("bench", "--solver", "dlx", "--no-warm-repeats", *arguments) == 0
        return capsys.readouterr().err

    assert "records of" not in bench("--filter", "a/", "--no-plots")
    other = "results/bench has records of 2 problems that this campaign does not ask for"
    assert f"{other}, so the records of this campaign are in results/b; -o" in bench("--filter", "b/", "--no-plots")
    assert (names("results/bench"), names("results/b")) == (["a/2x2", "a/2x4"], ["b/4x4"])

    for again in (["--filter", "a/"], ["results/bench/campaign.toml"]):
        assert "2 of them recorded already" in bench(*again, "--no-plots")
    assert "1 of them recorded already" in bench("--filter", "b/", "--no-plots")
    assert f"{other}, such as a/2x2: plots and reports" in bench("--filter", "b/", "--no-plots", "-o", "results/bench")
    assert len(plan.read("results/bench/campaign.toml").parts) == 2
    assert "such as" not in bench("--filter", "b/", "--no-plots", "-o", "results/bench")

    recorded(asked("a/2x2"), Path("results/4x4"))
    recorded(asked("a/2x2"), Path("results/4x4-count-10s-2048MiB"))
    assert status_of("bench", "--solver", "dlx", "--filter", "4x4", "--filter", "4x4", "--goal", "count") == 2
    places = "results/4x4 and results/4x4-count-10s-2048MiB"
    assert f"and so has {places}; name another folder: -o results/NAME" in capsys.readouterr().err


@pytest.mark.long
def test_another_limit_is_another_folder_and_never_mixes_figures(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def bench(*arguments: str) -> str:
        assert status_of("bench", "--filter", "a/", "--no-warm-repeats", *arguments) == 0
        return capsys.readouterr().err

    assert "records of" not in bench("--solver", "dlx", "--no-plots")
    own = "a-decide-9s-2048MiB"
    said = bench("--solver", "dlx", "--time-limit", "9s", "--no-plots")
    assert "another goal or other limits (decide-10s-2048MiB) that this campaign does not ask for, so" in said
    assert f"the records of this campaign are in results/{own};" in said
    assert len(names("results/bench")) == len(names(f"results/{own}")) == 2

    # In one folder, those with the most runs are at the top, as `tiler plot` draws them.
    plots = Path("results/bench/plots")
    bench("--solver", "dlx")
    assert {path.name for path in plots.iterdir()} >= {"survival.svg"}
    (plots / "heatmap-of-before.svg").touch()
    (plots / "mine.svg").touch()
    both = ("--solver", "dlx", "--solver", "backtracking")
    for limit in ("9s", "10s"):
        bench(*both, "--time-limit", limit, "-o", "results/bench")
        tops = {path.name: "2048" not in path.name for path in plots.iterdir() if path.is_dir()}
        assert list(tops) == ["decide-10s-2048MiB" if limit == "9s" else "decide-9s-2048MiB"]
        assert not (plots / "heatmap-of-before.svg").exists()
        assert (plots / "mine.svg").exists()


@pytest.mark.long
def test_plots_are_drawn_anew_only_if_records_changed(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("bench", "--solver", "dlx", "--no-warm-repeats", "-o", "out")
    said = []
    for filters in (["a/"], ["a/"], ["a/", "b/"]):
        assert status_of(*command, *(word for text in filters for word in ("--filter", text))) == 0
        said.append(capsys.readouterr().out.splitlines()[-1].partition(":")[2])
    assert [" drawn before from the same records" in line for line in said] == [False, True, False]
