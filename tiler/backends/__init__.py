"""The solvers, one per module. A module placed in this folder is found by itself; base.py has what a backend must have."""
