"""Run benchmarks: corpus finds instances, campaign makes runs, store keeps their records on disk.

isolate.py makes one limited run; the command line prints.
"""
