"""Make puzzles: unique ones, sets of pieces, hints; take assemblies apart; files for printers and laser cutters."""
