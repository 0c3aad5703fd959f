"""The benchmark: corpus (which instances), campaign (which runs, and what is made of them), store (their records on disk).

One limited run is the business of isolate.py; printing is that of the command line.
"""
