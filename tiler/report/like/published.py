"""Hold the figures of Table 1 in Busche's article on FILA, and how each of its rows is run here.

Source: M. Busche, Fixed Image List Algorithm (FILA), Matt's Maniacal Musings, 2018.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """A row of Table 1, and how it is run here."""

    row: str
    problem: str  #: in results/reference/busche-problems
    spec: str
    fits: int
    no_fits: int | None  #: None: he does not say
    seconds: float  #: on an i3-4130T, one thread


#: His lists and numbering. A constraint of these problems puts the piece that he keeps in one placement of each orbit there.
TC = "axes=zyx,handoff=11"
PT = "filter=volume,axes=xy,handoff=13,volume=12"
PUBLISHED = (
    Published("P-1", "P", "dlx", 892_247, None, 2.08),
    Published("P-2", "P", "dlx:filter=volume", 768_356, None, 1.75),
    Published("P-3", "P", "dlx:filter=volume,order=mrv+forced:11", 1_000_250, None, 2.05),
    Published("P-4", "P", "fila:filter=volume,handoff=11,window=off,nof=off", 2_091_215, 13_106_789, 0.168),
    Published("P-5", "P", "fila:filter=volume,handoff=11,window=off", 2_091_215, 4_682_886, 0.157),
    Published("TC-1", "TC", "dlx", 30_255_329, None, 113),
    Published("TC-2", "TC", f"fila:{TC},order=e,nof=off", 48_705_459, 1_093_916_558, 22.2),
    Published("TC-3", "TC", f"fila:{TC},order=e:11+f:3,nof=off", 80_346_268, 1_526_897_959, 19.9),
    Published("TC-4", "TC", f"fila:{TC},order=e:11+f:3", 80_346_268, 393_143_352, 17.0),
    Published("PT-1", "PT", "dlx", 207_341_751, None, 646),
    Published("PT-2", "PT", "dlx:filter=volume,volume=12", 78_145_746, None, 182),
    Published("PT-3", "PT", f"fila:{PT},order=e,nof=off", 153_069_413, 1_094_305_862, 70.2),
    Published("PT-4", "PT", f"fila:{PT},order=e:13+f:3,nof=off", 185_469_244, 1_203_943_050, 67.7),
    Published("PT-5", "PT", f"fila:{PT},order=e:13+f:3", 185_469_244, 291_191_337, 60.6),
)
#: The rows without and with NOF that are compared by pieces left.
PAIRS = (("P-4", "P-5"), ("TC-3", "TC-4"), ("PT-4", "PT-5"))
