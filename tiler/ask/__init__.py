"""Asking: solve.py is the only way in; the other modules are the ways to answer that need more than one search."""
