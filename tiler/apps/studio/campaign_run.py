"""Make the runs of a campaign in a process of its own, by the same code as `tiler bench`.

`python -m tiler.apps.studio.campaign_run FOLDER` reads the campaign file in the folder, and appends records there. SIGINT and
SIGTERM end it in good order, and so does the end of its input: no campaign outlives its studio. The last line on standard error
says what is wrong.
"""

from __future__ import annotations

import contextlib
import select
import signal
import sys
from pathlib import Path
from typing import Any

from tiler.bench import campaign, code_fingerprint, plan, record, store
from tiler.bench.campaign_file import PLAN
from tiler.bench.job import pending
from tiler.bench.judge import RecordedAnswers
from tiler.bench.store import Store
from tiler.errors import TilerError


def make(folder: Path) -> None:
    """Make the runs that have no record yet."""
    planned = plan.read(str(folder / PLAN))
    jobs, _ = planned.runs()
    with store.locked(folder, _say), Store(folder) as opened:
        opened.entitle(planned.title)
        records = code_fingerprint.made_here(record.read(folder).records)
        todo, answers = pending(jobs, records), RecordedAnswers(records)
        if todo:
            order = planned.order or campaign.AT_RANDOM
            for _ in campaign.make(todo, opened, order=order, answers=answers, on_tick=_check_stop):
                pass


def main() -> None:
    """Make the runs, or say why that cannot be."""
    signal.signal(signal.SIGTERM, _interrupt)
    signal.signal(signal.SIGINT, _interrupt)
    try:
        make(Path(sys.argv[1]))
    except TilerError as error:
        _say(str(error))
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _interrupt(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def _check_stop() -> None:
    """End if the input has ended; nobody writes to it."""
    if select.select([sys.stdin], [], [], 0.0)[0]:
        raise KeyboardInterrupt


if __name__ == "__main__":
    main()
