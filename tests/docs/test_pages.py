"""The pages say what is so: examples print what is shown, links lead somewhere, and the site is built without a warning."""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import FrameType, ModuleType

import pytest
import yaml
from commands import call
from markdown_it import MarkdownIt

from tiler import formats
from tiler.backends import registry
from tiler.backends.registry import backends
from tiler.cli.main import COMMANDS, module_of
from tiler.version import __version__

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tiler"
sys.path.insert(0, str(ROOT / "scripts"))
import method_pictures  # noqa: E402
import regenerate_examples as examples  # noqa: E402
import regenerate_pictures as pictures  # noqa: E402
import solver_pictures  # noqa: E402
import studio_screens  # noqa: E402

PAGES = {page.relative_to(ROOT).as_posix(): page.read_text() for page in examples.pages()}
SHOWING = [name for name, text in PAGES.items() if list(examples.examples(text))]
RUNNING = [name for name, text in PAGES.items() if "```python\n" in text]
LINK = re.compile(r'(?:\]\(|<img src=")([^)#\s"]+)')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory; what a page loads into the program is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    others = {name: backend for name, backend in backends().items() if name != "recursive"}  # It may be tried in its place.
    monkeypatch.setattr(registry, "_registered", others)
    return tmp_path


@pytest.fixture
def runner(capsys: pytest.CaptureFixture[str]) -> examples.Runner:
    """Runs a command in this process, which is quicker."""

    def run(arguments: list[str]) -> str:
        status, out, err = call(capsys, *arguments)
        assert status == 0, err
        return out

    return run


@pytest.mark.long
@pytest.mark.parametrize("name", SHOWING)
def test_examples_print_what_is_shown(name: str, folder: Path, runner: examples.Runner) -> None:
    examples.set_up(folder, PAGES[name])
    # The first page is tried as a reader would try it.
    assert examples.rewritten(PAGES[name], examples.run if name == "README.md" else runner) == PAGES[name]


def test_examples_are_found(runner: examples.Runner) -> None:
    assert {"README.md", "docs/tutorials/puzzles.md", "docs/tutorials/solvers.md"} <= set(SHOWING)
    shown = {command.split()[1] for text in PAGES.values() for command, _ in examples.examples(text)}
    assert shown >= {"solve", "count", "prove", "show", "check", "shapes", "solvers", "sample"}
    page = "```console\n$ tiler count 2x2 2\n3\n```\n"
    assert examples.rewritten(page, runner) == page.replace("3\n", "2\n")


@pytest.mark.parametrize("name", SHOWING)
def test_examples_can_be_asked(name: str, folder: Path, runner: examples.Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command has these arguments, and none of its rules refuses them; here nothing is run."""
    examples.set_up(folder, PAGES[name])
    commands = [shlex.split(command)[1:] for command, _ in examples.examples(PAGES[name])]
    for command in {arguments[0] for arguments in commands}.intersection(COMMANDS):
        monkeypatch.setattr(module_of(command), "run", lambda args: 0)
    for arguments in commands:
        runner(arguments)


def python_of(page: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", PAGES[page], re.DOTALL))


@pytest.mark.long
@pytest.mark.parametrize("name", RUNNING)
def test_python_on_a_page_runs(name: str, folder: Path) -> None:
    examples.set_up(folder, PAGES[name])
    with redirect_stdout(io.StringIO()):
        exec(compile(python_of(name), name, "exec"), {"__name__": "__page__"})


@pytest.mark.parametrize("name", RUNNING)
def test_python_on_a_page_calls_what_there_is(name: str) -> None:
    """What it takes from `tiler` is offered, and functions have the parameters that are named; here nothing is run."""
    for node in ast.walk(ast.parse(python_of(name), name)):
        called = node.func if isinstance(node, ast.Call) else node
        path = ast.unparse(called) if isinstance(called, ast.Attribute) else ""
        if re.fullmatch(r"tiler(\.\w+)+", path):
            found = pkgutil.resolve_name(path.replace(".", ":", 1))
            if isinstance(node, ast.Call) and inspect.isfunction(found):
                given = {keyword.arg: None for keyword in node.keywords if keyword.arg}
                inspect.signature(found).bind_partial(*node.args, **given)


def test_the_problem_file_is_what_the_pages_say() -> None:
    shown = [examples.files(PAGES[f"docs/{name}.md"])["corner.txt"] for name in ("tutorials/puzzles", "reference/problems")]
    assert shown[0] == shown[1]
    instance = formats.parse(shown[0])
    assert [(tile.name, tile.at_least, tile.at_most) for tile in instance.tiles] == [
        ("3L", 0, 2),
        ("4L", 1, None),
        ("2", 0, None),
    ]
    assert len(instance.optional) == 1


def test_the_campaign_of_the_tutorial_can_be_run(folder: Path) -> None:
    from tiler.bench import plan

    examples.set_up(folder, PAGES["docs/tutorials/research.md"])
    campaign = plan.read("orders.toml")
    assert campaign.title == "Orders of the simple solver"
    solvers = {job.solver.partition(":")[0] for job in campaign.runs().jobs}
    assert solvers == {"backtracking", "dlx"}


def test_the_programs_of_the_tutorial_have_colours_of_their_own() -> None:
    declared = set(re.findall('colour = "(#[0-9a-f]{6})"', PAGES["docs/tutorials/research.md"]))
    drawn = set(re.findall("#[0-9a-f]{6}", (ROOT / "tiler/report/style.py").read_text()))
    assert declared
    assert declared.isdisjoint(drawn)


#: The number of an item within a paragraph: the list was run together when lines were joined.
RUN_TOGETHER = re.compile(r"(?<=[.:;!?)]) \d+\. [A-Z`]")


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page, items of lists among them, each in one line."""
    tokens = MarkdownIt().enable("table").parse(text)
    yield from (" ".join(token.content.split()) for token in tokens if token.type == "inline")


def test_a_list_that_was_run_together_is_found() -> None:
    page = "1. First.\n2. Second one\n   goes on. 3. Third.\n\n```\na. 4. B\n```\n"
    assert [one for one in paragraphs(page) if RUN_TOGETHER.search(one)] == ["Second one goes on. 3. Third."]


def test_no_list_is_run_together() -> None:
    names = [*PAGES, *(page.relative_to(ROOT).as_posix() for page in ROOT.glob("results/reference/**/README.md"))]
    found = [(name, one) for name in names for one in paragraphs((ROOT / name).read_text()) if RUN_TOGETHER.search(one)]
    assert found == []


def broken(text: str, folder: Path) -> Iterator[str]:
    """The links to files that are not there."""
    yield from (link for link in LINK.findall(text) if not re.match(r"[a-z]+:", link) and not (folder / link).exists())


def test_links_within_the_repository_lead_somewhere() -> None:
    assert [(name, link) for name, text in PAGES.items() for link in broken(text, (ROOT / name).parent)] == []


@cache
def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub names them."""
    tokens = MarkdownIt().parse(page.read_text())
    titles = (after.content for token, after in pairwise(tokens) if token.type == "heading_open")
    return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", title)).lower().replace(" ", "-") for title in titles}


def test_links_to_headings_lead_to_one() -> None:
    """Within the repository, where nothing is generated into the pages."""
    links = [
        (name, file, heading)
        for name, text in PAGES.items()
        for file, heading in re.findall(r"\]\(([^)#\s:]*\.md)?#([^)\s]+)\)", text)
    ]
    assert links
    lost = [
        (name, file, heading)
        for name, file, heading in links
        if heading not in headings(((ROOT / name).parent / file).resolve() if file else ROOT / name)
    ]
    assert lost == []


def test_a_broken_link_is_seen() -> None:
    assert list(broken("[a](docs/none.md#there) [b](README.md) ![c](x.svg)", ROOT)) == ["docs/none.md", "x.svg"]


def test_files_that_are_named_are_there() -> None:
    lost = [
        (name, path)
        for name, text in PAGES.items()
        for path in re.findall(r"`((?:tiler|tests|scripts|docs|problems|results/reference)/[\w./*-]+)`", text)
        if not list(ROOT.glob(path))
    ]
    # The reader of the tutorial writes these.
    assert {path for _, path in lost} <= {"tiler/backends/recursive/__init__.py"}, lost


def test_scripts_of_older_commits_are_in_them() -> None:
    """`git show COMMIT:PATH` prints a script, in a checkout with its history."""
    texts = [*PAGES.values(), *(path.read_text() for path in (ROOT / "results/reference").rglob("*.md"))]
    named = {each for text in texts for each in re.findall(r"`git show ([0-9a-f]+:[\w./]+)`", text)}
    assert named
    git = ["git", "-C", str(ROOT), "cat-file", "-e"]
    known = [each for each in named if not subprocess.run([*git, each.partition(":")[0]], capture_output=True).returncode]
    if not known:
        pytest.skip("the commits are not in this checkout")
    assert [each for each in known if subprocess.run([*git, each], capture_output=True).returncode] == []


def test_a_count_calls_the_functions_that_its_page_lists(capsys: pytest.CaptureFixture[str]) -> None:
    page, _, section = PAGES["docs/architecture.md"].partition("\n### The functions\n")
    (command,) = re.findall(r"^\$ tiler (.*)", page, re.MULTILINE)
    rows = re.findall(r"^\| `(\S+)` \| (`.*?`) \|", section.partition("\n## ")[0], re.MULTILINE)
    listed = [(file, name) for file, names in rows for name in re.findall(r"`(.+?)`", names)]
    called: dict[tuple[str, str], None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(f"{PACKAGE}/"):
            called[path.removeprefix(f"{PACKAGE}/"), frame.f_code.co_qualname] = None

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        status, *_ = call(capsys, *command.split())
    finally:
        sys.setprofile(before)
    assert status == 0
    assert len(listed) > 20
    assert [each for each in called if each in listed] == listed


def test_files_that_the_architecture_names_are_there() -> None:
    named = re.findall(r"`(\w+/\w+\.py|\w+/)`", PAGES["docs/architecture.md"])
    assert len(named) > 10
    assert [path for path in named if not any((folder / path).exists() for folder in (ROOT / "tiler", ROOT))] == []


def is_in_the_code(name: str) -> bool:
    """Whether a module, or a class or function in one, has this dotted name below `tiler`."""
    try:
        return pkgutil.resolve_name(f"tiler.{name}") is not None
    except (ImportError, AttributeError):
        return False


def test_the_glossary_names_what_is_in_the_code() -> None:
    rows = [line.split("|") for line in PAGES["docs/glossary.md"].splitlines() if line.startswith("| ")]
    assert {len(row) for row in rows} == {5}
    names = [name for row in rows for name in re.findall(r"`([^`]+)`", row[3])]
    assert len(names) > 80
    assert [name for name in names if not is_in_the_code(name)] == []


def test_a_name_that_is_not_in_the_code_is_seen() -> None:
    assert is_in_the_code("model.tile.Tile")
    assert not is_in_the_code("model.tile.Tyle")
    assert not is_in_the_code("model.tyle")


def test_no_page_names_places_on_some_machine() -> None:
    place = re.compile(r"(?:^|[\s`(])(?:/work|/root|/home|/tmp|/Users)/")
    assert [(name, found) for name, text in PAGES.items() for found in place.findall(text)] == []


def test_every_picture_is_drawn_by_a_command_and_shown() -> None:
    drawn = {path.name for path in (ROOT / "docs/pictures").iterdir()}
    explaining = {
        *map(solver_pictures.file, solver_pictures.SOLVERS),
        *map(method_pictures.file, method_pictures.PICTURES),
    }
    assert drawn == {*pictures.PICTURES, *pictures.FIGURES, *explaining, *studio_screens.DOCS_FILES}
    shown = {Path(link).name for text in PAGES.values() for link in LINK.findall(text)}
    assert drawn <= shown


@pytest.mark.parametrize("name", solver_pictures.SOLVERS)
def test_the_picture_of_a_solver_is_what_the_script_draws(name: str) -> None:
    assert (ROOT / "docs/pictures" / solver_pictures.file(name)).read_text() == solver_pictures.document(name)


@pytest.mark.parametrize("name", method_pictures.PICTURES)
def test_the_picture_of_a_method_is_what_the_script_draws(name: str) -> None:
    assert (ROOT / "docs/pictures" / method_pictures.file(name)).read_text() == method_pictures.document(name)


def test_the_numbers_in_pictures_of_lists_are_those_of_plain_loops() -> None:
    """By the cells of all placements, without the lists of FILA; the sums after the filters are Busche's."""
    cover = method_pictures.six_by_ten()
    images = [{cover.cells[cell][::-1] for cell in cells} for cells in cover.members.lists()]
    bounds, pof, below, right = method_pictures.list_lengths().values()
    for row, column in cover.cells:
        cell, first = (column, row), [image for image in images if min(image) == (column, row)]
        assert bounds[row, column] == sum(cell in image for image in images)
        assert pof[row, column] == len(first)
        assert below[row, column] == sum((column, row + 1) not in image for image in first)
        assert right[row, column] == sum((column + 1, row) not in image for image in first)
    assert [sum(left.values()) for left in method_pictures.placements_left().values()] == [2056, 2032, 1907]
    # Busche's cell 14, where x and y are 2.
    first = [image for image in images if min(image) == (2, 2)]
    by_state = [[image for image in first if not image & taken] for taken in (set(), {(2, 3)}, {(3, 2)}, {(2, 3), (3, 2)})]
    assert [len(some) for some in by_state] == [len(some) for some in method_pictures.image_lists()] == [61, 33, 13, 0]


@pytest.mark.parametrize("counted", [method_pictures.in_sequence, method_pictures.in_order])
def test_the_values_in_pictures_of_counters_satisfy_all_clauses(counted: Callable[[], method_pictures.Counted]) -> None:
    of = counted()
    assert all(any((abs(literal) in of.true) is (literal > 0) for literal in clause) for clause in of.clauses)
    used = [option for variable, option in of.options.items() if variable in of.true]
    cells = [int(cell) for option in used for cell in of.cover.cells_of(option)]
    assert len(cells) == len(set(cells)) > 0
    for row in of.rows:
        assert [counter in of.true for _, counter in row if counter] == sorted(
            counter in of.true for _, counter in row if counter
        )


def test_every_solver_but_auto_has_a_picture() -> None:
    page = PAGES["docs/reference/solvers.md"]
    ours = {name for name, backend in backends().items() if backend.__module__.startswith("tiler.")} - {"auto"}
    assert ours == set(solver_pictures.SOLVERS)
    assert [name for name in ours if f"## {name}" not in page] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    done = subprocess.run([sys.executable, ROOT / "scripts/pages.py", folder], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(folder.parent.iterdir()) == [folder]
    return folder


@pytest.mark.long
def test_the_site_is_built_and_tells_all_there_is(site: Path) -> None:
    commands = (site / "reference/commands.html").read_text()
    assert [name for name in COMMANDS if f">tiler {name}<" not in commands] == []
    assert [name for name in COMMANDS if f'href="#tiler-{name}"><code' not in commands] == []
    solvers = (site / "reference/solvers.html").read_text()
    assert [name for name, backend in backends().items() if f"<h3>{name}<" not in solvers or not backend.__doc__] == []
    first = (site / "index.html").read_text()
    shown = [name for name in re.findall(r'<img src="(pictures/[^"]+)"', first) if (site / name).exists()]
    assert len(shown) == PAGES["README.md"].count("<img")
    assert (site / "results/reference/thesis/report.html").exists()
    assert (site / "notebooks/tilings.html").read_text().count("_images/") >= 3  # the pictures stored in it


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # Sphinx, and what it loads, are not ours to mend.
@pytest.mark.parametrize(("link", "status"), [("index.md", 0), ("nowhere.md", 1), ("index.md#nowhere", 1)])
def test_a_warning_fails_the_build(link: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = importlib.import_module("pages")

    def assemble(folder: Path, *, opens: bool) -> None:
        assert not opens
        (folder / "extra").mkdir()
        (folder / "static").mkdir()
        (folder / "static/site.css").touch()
        (folder / "conf.py").write_text((ROOT / "docs/conf.py").read_text())
        (folder / "index.md").write_text(f"# A page\n\n[with a link]({link})\n")

    monkeypatch.setattr(pages, "assemble", assemble)
    monkeypatch.setattr(sys, "argv", ["pages.py", str(tmp_path / "site")])
    with redirect_stdout(io.StringIO()):
        assert pages.main() == status
    assert (tmp_path / "site/index.html").exists() == (status == 0)


@pytest.fixture
def site_script() -> ModuleType:
    return importlib.import_module("pages")


def test_links_become_links_between_pages(site_script: ModuleType) -> None:
    def link(written: str, source: str, address: str) -> str:
        return str(site_script.page_link(written, source, address))

    assert link("docs/reference/problems.md", "README.md", "index.md") == "reference/problems.md"
    assert link("../../README.md", "docs/tutorials/puzzles.md", "tutorials/puzzles.md") == "../index.md"
    assert link("../results/reference/thesis.toml", "docs/results.md", "results.md") == "results/reference/thesis.toml"
    assert link("https://oeis.org", "README.md", "index.md") == "https://oeis.org"


# --- what is beside the pages


def test_the_workflows_run_scripts_that_there_are() -> None:
    workflow, nightly = (yaml.safe_load((ROOT / f".github/workflows/{name}.yml").read_text()) for name in ("test", "nightly"))
    matrix = workflow["jobs"]["test"]["strategy"]["matrix"]
    assert (matrix["python"], len(matrix["os"])) == (["3.11", "3.12", "3.13", "3.14"], 2)
    jobs = [*workflow["jobs"].values(), *nightly["jobs"].values()]
    commands = [step["run"] for job in jobs for step in job["steps"] if "run" in step]
    assert "./scripts/test --slow" in commands
    assert nightly["jobs"]["drawn"]["env"]["HYPOTHESIS_PROFILE"] == "nightly"
    scripts = [word for command in commands for word in command.split() if word.startswith("./scripts/")]
    assert set(scripts) == {"./scripts/test", "./scripts/docs", "./scripts/tiler", "./scripts/page"}
    assert all((ROOT / script).exists() for script in scripts)


def test_hooks_before_a_commit_run_what_the_tests_run() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"][0]["hooks"]
    tests = (ROOT / "scripts/test").read_text()
    assert {hook["entry"].split()[2] for hook in hooks} == set(re.findall(r"-m (ruff|mypy)\b", tests))


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert (citation["cff-version"], str(citation["version"])) == ("1.2.0", __version__)
    assert f"## {__version__}, {citation['date-released']}\n" in PAGES["CHANGELOG.md"]
