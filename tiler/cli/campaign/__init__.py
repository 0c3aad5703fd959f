"""The commands for benchmarks and their records, one module for each."""
