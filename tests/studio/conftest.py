"""A studio whose workers are threads, for all that needs no process of theirs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from studio_client import shared, workers_here


@pytest.fixture(scope="module")
def in_studio_here() -> Iterator[Callable[..., None]]:
    """Runs a test with a page of a studio that the tests of a file share; its workers are threads."""
    with workers_here(), shared() as run:
        yield run
