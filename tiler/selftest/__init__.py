"""Whether all that is installed answers right on this machine: small problems on every lattice are put to every backend, with
options and questions, and the answers compared with those of a brute force."""
