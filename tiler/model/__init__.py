"""What is asked: lattice, shapes, tiles, instances, constraints, the symmetry group; and the check of an answer."""
