"""Campaigns in a web page, where Python is WebAssembly: the orders of in_page.py that the studio gives to processes.

The folders of results lie in the memory of a worker, below the one where it stands; the page keeps their files, and gives them to
the next worker. A run is made by any worker, as all workers of a page have the same code. It has no process of its own: nobody
knows its memory, and its CPU seconds.
"""

from __future__ import annotations

import re
import time
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tiler.apps.studio import questions
from tiler.apps.studio.campaign_messages import SolverFormsMessage
from tiler.apps.studio.campaigns import DRAWN
from tiler.apps.studio.results import ResultsService, jobs_in
from tiler.bench import measure, record, store
from tiler.bench.campaign_file import PLAN
from tiler.bench.job import Job, pending
from tiler.bench.measure import Measured
from tiler.bench.order import RunOrder
from tiler.bench.record import Record
from tiler.bench.store import Store
from tiler.errors import InputError, MissingDependency, NoMachineCode, TilerError
from tiler.process.isolate import Outcome, RunEnd

ROOT = Path("results")
_FILES = (PLAN, DRAWN, store.ENVIRONMENT, store.RUNS)


class PageResultsService:
    """What the room where solvers are compared asks of a worker."""

    def __init__(self) -> None:
        self._results = ResultsService(ROOT)

    def handle(self, do: str, data: Any) -> Any:
        """The reply to an order of the room."""
        try:
            reply = self._results.handle(do, data)
        except (MissingDependency, ImportError):  # Matplotlib draws the figures.
            if do != "save":
                raise
            command = f"tiler plot {ROOT / data['name']} --kind {data['kind']} --clock {data['clock']} --format {data['format']}"
            raise InputError(questions.elsewhere("figures", command)) from None
        return _elsewhere(reply) if do == "forms" else reply

    def put(self, name: str, contents: dict[str, str]) -> None:
        """Write the files of a folder of results, as another worker had them."""
        folder = ROOT / name
        folder.mkdir(parents=True, exist_ok=True)
        for file in _FILES:
            if file in contents:
                (folder / file).write_text(contents[file], "utf-8")

    def files(self, name: str) -> dict[str, str]:
        """The files of a folder of results."""
        folder = self._results.folder.existing(name)
        return {file: (folder / file).read_text("utf-8") for file in _FILES if (folder / file).is_file()}

    def open_records(self, file: str, contents: dict[str, str]) -> str:
        """The name of a new folder with records that a person opened; InputError if the file holds none."""
        stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(file).stem).strip("-")[:40] or "runs"
        name = next(one for number in range(1, 1000) if not (ROOT / (one := f"{stem}-{number}" if number > 1 else stem)).exists())
        self.put(name, contents)
        found = record.read(ROOT / name)
        if not found.records:
            for path in (ROOT / name).iterdir():
                path.unlink()
            (ROOT / name).rmdir()
            lines = f": none of its {found.skipped:,} lines can be read" if found.skipped else ""
            raise InputError(f"{file} holds no records of tiler bench{lines}")
        return name

    def todo(self, name: str) -> list[dict[str, Any]]:
        """The runs that have no record yet: their numbers in the campaign, and the seconds after which each is ended."""
        jobs = _jobs(ROOT / name)
        numbers = {job.key: number for number, job in enumerate(jobs)}
        left = RunOrder().arranged(pending(jobs, record.read(ROOT / name).records))
        return [{"number": numbers[job.key], "seconds": measure.deadline(job)} for job in left]

    def prepare(self, name: str, number: int, contents: dict[str, str]) -> None:
        """Load what a run needs, before its time limit begins. `contents` has the files of its campaign."""
        self.put(name, contents)
        with suppress(NoMachineCode):  # Then Python searches, slower.
            measure.prepare([_jobs(ROOT / name)[number].solver])

    def run(self, name: str, number: int) -> Record:
        """Make a run, and return its record."""
        job = _jobs(ROOT / name)[number]
        started, begun = datetime.now(UTC), time.perf_counter()
        outcome = _outcome(job)
        return _record(job, outcome, started, time.perf_counter() - begun)

    def lost(self, name: str, number: int, seconds: float, why: str) -> Record:
        """The record of a run whose worker was ended at its limit, or ended by itself; `why` says how in that case."""
        ended = Outcome[Measured](RunEnd.CRASHED, last_line=why) if why else Outcome[Measured](RunEnd.TIME)
        return _record(_jobs(ROOT / name)[number], ended, datetime.now(UTC) - timedelta(seconds=seconds), seconds)

    def append(self, name: str, made: Record) -> None:
        """Keep a record."""
        with Store(ROOT / name) as opened:
            opened.append(made)


def _jobs(folder: Path) -> tuple[Job, ...]:
    file = folder / PLAN
    return jobs_in(str(file), file.stat().st_mtime_ns)


def _elsewhere(forms: SolverFormsMessage) -> SolverFormsMessage:
    """The forms of solvers; those whose packages no page has name the command."""
    shown = (
        replace(form, missing=questions.elsewhere(form.missing, f"tiler bench --solver {form.name}")) if form.missing else form
        for form in forms.solvers
    )
    return SolverFormsMessage(tuple(shown))


def _outcome(job: Job) -> Outcome[Measured]:
    try:
        return Outcome(RunEnd.FINISHED, measure.answer(job, measure.WARM_SECONDS))
    except TilerError as error:
        return Outcome(RunEnd.RAISED, error=error)
    except MemoryError:
        return Outcome(RunEnd.MEMORY)
    except Exception as error:
        return Outcome(RunEnd.RAISED, error=TilerError(f"{type(error).__name__}: {error}"))


def _record(job: Job, outcome: Outcome[Measured], started: datetime, seconds: float) -> Record:
    started_at = started.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    made = measure.record_of(job, outcome, started_at, 1)
    made["order"], made["wall_seconds"] = str(RunOrder()), seconds
    made["load"] = made["load_during"] = made["megahertz"] = None
    made["cpu_seconds"] = made["peak_megabytes"] = made["baseline_megabytes"] = None
    return made
