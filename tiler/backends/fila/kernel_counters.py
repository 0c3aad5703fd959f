"""Name the first of the `counters` in the state of each search of FILA. Each kernel adds its own after them.

DEPTH: images placed; OPEN: open cells; SLACK: open cells that are not needed for copies that must still be used; COPIES: copies
left of all tiles together; NODES, FOUND: images placed and tilings found since the start; BACK: go back before going on; FLOOR:
the depth at which the search ends, 0 unless it gave away what comes later.
"""

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK, FLOOR = range(SHARED := 8)

#: Counters saved with a node, in addition to copies and cells.
COUNTED_ALONG = (OPEN, SLACK, COPIES)
