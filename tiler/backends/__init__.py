"""The solvers, one per module or folder. A module placed in this folder is found by itself; base.py says what a backend must
have."""
