"""The commands about what is installed: problems, shapes, lattices, solvers, and tools beside them; one module for each."""
