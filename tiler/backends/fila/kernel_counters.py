"""The first of the small numbers in which each search of FILA keeps where it stands; each kernel adds its own behind them.

DEPTH: images placed; OPEN: open cells; SLACK: open cells that are not needed for copies that must still be used; COPIES: copies
left of all tiles together; NODES, FOUND: images placed and tilings found since the start; BACK: go back before going on.
"""

DEPTH, OPEN, SLACK, COPIES, NODES, FOUND, BACK = range(SHARED := 7)
