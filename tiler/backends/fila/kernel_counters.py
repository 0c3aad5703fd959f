"""The first of the `counters` that are part of the state of each search of FILA; each kernel adds its own behind them.

DEPTH: images placed; OPEN: open cells; SLACK: open cells that are not needed for copies that must still be used; COPIES: copies
left of all tiles together; NODES, FOUND: images placed and tilings found since the start; BACK: go back before going on.
"""

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK = range(SHARED := 7)

#: Counters saved with a node, in addition to copies and cells.
COUNTED_ALONG = (OPEN, SLACK, COPIES)
