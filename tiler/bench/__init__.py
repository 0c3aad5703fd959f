"""The benchmark: corpus (which instances), campaign (which runs, and what is made of them), store (their records on disk).

isolate.py makes one limited run; the command line prints.
"""
