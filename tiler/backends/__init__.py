"""Hold the solvers, one in each folder. A folder placed here is found automatically; base.py says what a backend must have."""
