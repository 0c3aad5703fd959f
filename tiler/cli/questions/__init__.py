"""The commands that ask about problems and tiles, one module for each."""
