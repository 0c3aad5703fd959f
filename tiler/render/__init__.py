"""Pictures of boards and tilings: `text.draw` for terminals and log files, `svg.draw` for documents.

A tiling is a sequence of placements that somebody else has verified; no placement at all draws the plain board.
"""
