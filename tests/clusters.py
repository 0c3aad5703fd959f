"""A Dask cluster of processes of this machine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from processes import environment_for


@contextmanager
def cluster(test_file: str, *, workers: int, threads: int, port: int = 0) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a cluster, its workers under nannies as everywhere, and the process of its scheduler.

    The workers can import the file of tests. The scheduler is at that port, by default at any that is free. Skips the test where
    distributed is not installed.
    """
    pytest.importorskip("distributed", reason="distributed is not installed")
    script = (
        "from distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        f"    options = dict(n_workers={workers}, threads_per_worker={threads}, scheduler_port={port})\n"
        "    print(LocalCluster(**options, processes=True, dashboard_address=None).scheduler_address, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script],
        env=environment_for(test_file, PYTHONWARNINGS="ignore"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address.startswith("tcp://")
            yield address, process
        finally:
            with suppress(BrokenPipeError):
                process.communicate("\n", timeout=60)
