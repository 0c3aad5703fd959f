"""The commands about Tiler itself: what it knows by name, and its installation; one module for each."""
