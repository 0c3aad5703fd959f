"""Options and settings of the test run."""

from __future__ import annotations

import gc
import json as plain_json
import os
import signal
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings
from hypothesis.vendor.pretty import for_type_by_name

from tiler.formats import json
from tiler.kernels import python_time

# Examples are drawn the same way on every run, so that a failure is one for everybody; by night other ones, and more of them.
settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("nightly", deadline=None, derandomize=False, print_blob=True)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "default")
settings.load_profile(PROFILE)
# Hundreds of processes are started here: compiled modules are kept for them, and rewritten tests for the next run.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.pop("COLUMNS", None)  # Where there is no terminal, tables are as wide as they like.

#: Seconds that the tests of each file took when they were measured last: the longest are begun first.
SECONDS = Path(__file__).with_name("seconds.json")
_ROOT = Path(__file__).parents[1]
_UNKNOWN = 5.0  # seconds of a file that is not in the table
_BROWSER = "tests/apps/studio/browser/"

_SECOND_STAGE = _BROWSER, "tests/docs/test_pages.py"  # beside the tests marked long

_NIGHTLY, _SLOW, _USUAL = 10.0, 1.0, 0.2  # times the examples that tests ask for


# An instance says little of itself, for notebooks; of one that fails a test all is said.
for_type_by_name("tiler.model.instance", "Instance", lambda each, out, cycle: out.text(f"json.parse({json.write(each)!r})"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow oracles too")
    parser.addoption("--stage", choices=["first", "rest", "all"], default="all", help="without what is long, only that, or both")
    parser.addoption("--measure", action="store_true", help="write the seconds of each file into tests/seconds.json")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Kernels are compiled from the start, but where a test says otherwise; before several workers would all do it."""
    python_time.exhaust()
    # A shell starts background jobs with Ctrl-C ignored, and whatever they start would ignore it too.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if getattr(session.config.option, "numprocesses", None) and not hasattr(session.config, "workerinput"):
        subprocess.run([sys.executable, "-m", "tiler", "warm"], check=True, stdout=subprocess.DEVNULL)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    where = {item.path: item.path.relative_to(_ROOT).as_posix() for item in items}

    def runs(item: pytest.Item) -> bool:
        if "slow" in item.keywords and not config.getoption("--slow"):
            return False
        stage = "rest" if "long" in item.keywords or where[item.path].startswith(_SECOND_STAGE) else "first"
        return config.getoption("--stage") in ("all", stage)

    config.hook.pytest_deselected(items=[item for item in items if not runs(item)])
    items[:] = filter(runs, items)
    # The longest files come first, so that at the end no worker waits for a long one of another. Of a new file nothing is known.
    # Those that share a browser come one after another, before all others.
    seconds = plain_json.loads(SECONDS.read_text())
    items.sort(key=lambda item: (not where[item.path].startswith(_BROWSER), -seconds.get(where[item.path], _UNKNOWN)))
    times = example_factor(config)
    if times != 1:
        # Of a test with parameters there are several items and one function.
        for test in {item.obj for item in items if is_hypothesis_test(getattr(item, "obj", None))}:
            scale_examples(test, times)


def pytest_collection_finish() -> None:
    """What is there by now stays: the garbage collector need not look at it again, and looks at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """With --measure, keep how long the tests of each file took; of files that did not run the old figures stay."""
    if not config.getoption("--measure"):
        return
    took: defaultdict[str, float] = defaultdict(float)
    for report in (report for reports in terminalreporter.stats.values() for report in reports):
        if isinstance(report, pytest.TestReport):
            took[report.nodeid.partition("::")[0]] += report.duration
    seconds = {**plain_json.loads(SECONDS.read_text()), **{name: round(value, 1) for name, value in took.items()}}
    kept = {name: seconds[name] for name in sorted(seconds, key=lambda name: (-seconds[name], name)) if (_ROOT / name).exists()}
    SECONDS.write_text(plain_json.dumps(kept, indent=0) + "\n")


def example_factor(config: pytest.Config) -> float:
    """How many times the number of examples that tests ask for is drawn: a fifth of them, where nothing else is said."""
    if PROFILE == "nightly":
        return _NIGHTLY
    return _SLOW if config.getoption("--slow") else _USUAL


def scale_examples(test: Any, times: float) -> None:
    """Scale the examples of a test, which a profile cannot do where the test says how many there are."""
    asked: settings = test._hypothesis_internal_use_settings
    least = min(5, asked.max_examples)
    scaled = settings(asked, max_examples=max(least, round(asked.max_examples * times)))
    test._hypothesis_internal_use_settings = scaled


@pytest.fixture(scope="module")
def sat_in_this_process() -> Iterator[None]:
    """For files that ask many small questions; tests/backends/test_sat.py and test_engines.py ask engines in processes."""
    from engines_here import sat_engines_here

    with sat_engines_here():
        yield


@pytest.fixture(scope="module")
def engines_in_this_process() -> Iterator[None]:
    """For files that ask engines of all kinds so."""
    from engines_here import engines_here

    with engines_here():
        yield


@pytest.fixture(scope="session")
def times(request: pytest.FixtureRequest) -> float:
    """How many times the number of examples that tests ask for is to be looked at."""
    return example_factor(request.config)


@pytest.fixture(scope="module")
def in_studio() -> Iterator[Callable[..., None]]:
    """Runs a test with a page of a studio that the tests of a file share."""
    from studio_client import shared

    with shared() as run:
        yield run


@pytest.fixture(scope="module")
def in_studio_here() -> Iterator[Callable[..., None]]:
    """The same, with a studio whose workers are threads, for all that needs no process of theirs."""
    from studio_client import shared, workers_here

    with workers_here(), shared() as run:
        yield run
