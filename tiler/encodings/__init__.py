"""Clauses for numbers (at most one, at most k, at least k literals), each encoding a named value; CNF and program of a cover."""
