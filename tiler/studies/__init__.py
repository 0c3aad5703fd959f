"""Answer questions that take many searches: which boxes tiles fill, whether they tile the plane, recurrences, puzzles, recounts.

A study asks `solve` again and again; `tiler/ask` asks no study.
"""
