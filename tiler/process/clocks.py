"""Clocks of CPU seconds. A web page has none; its one thread computes all the time, so there they are clocks on the wall."""

from __future__ import annotations

import sys
import time

_HAS_CPU_CLOCK = sys.platform != "emscripten"

process_seconds = time.process_time if _HAS_CPU_CLOCK else time.perf_counter
thread_seconds = time.thread_time if _HAS_CPU_CLOCK else time.perf_counter
