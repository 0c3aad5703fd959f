"""Asking: solve.py puts one question to one backend; the other modules are answers that need more than one search, or none."""
