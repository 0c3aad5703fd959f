"""`tiler warm`: machine code for everything, beforehand."""

from __future__ import annotations

import re
import subprocess
import sys


def test_warm_leaves_every_kernel_ready() -> None:
    told = subprocess.run([sys.executable, "-m", "tiler", "warm"], capture_output=True, text=True, check=True).stdout
    found = re.fullmatch(r"(\d+) kernels are ready; (their machine code is in .+|they were installed with Tiler)\n", told)
    assert found
    code = "from tiler.kernels import Kernel, digest; digest.import_all(); print(len(Kernel.all))"
    every = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(found[1]) == int(every) > 20
