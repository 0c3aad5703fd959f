"""Options and settings of the test run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# Examples are drawn the same way on every run, so that a failure is one for everybody.
settings.register_profile("default", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("wide", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow oracles too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))
