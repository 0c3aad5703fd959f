"""Programs built on the engine: puzzles, mathematics, and the studio.

An app imports public names of `tiler` and the extension points of the engine (docs/architecture.md), and no other app. Its
`manifest` says what it adds. The engine imports none of them: see tiler/extensions.py.
"""
