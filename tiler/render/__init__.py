"""Draw boards and tilings: `text.draw` for terminals and log files, `svg.draw` for documents. A tiling is a sequence of
placements that are verified already; without placements the plain board is drawn.
"""
