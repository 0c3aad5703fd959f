"""The values that functions of `tiler` return: each draws, prints and saves itself."""
