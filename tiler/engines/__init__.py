"""The engines behind the backends: SAT, ILP and CP solvers made by others. Their modules are imported inside functions only."""
