"""Model a problem: lattice, shapes, tiles, instances, constraints, the symmetry group; and check an answer."""
