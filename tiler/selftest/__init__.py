"""Test whether all installed backends answer correctly on this machine: every backend is asked about small problems on every
lattice, with options and questions, and its answers are compared with those of a brute force."""
