"""Offer what `import tiler` offers: functions over frozen data, and the answers that they return. The work is done in the folders
below. Here arguments are checked, and answers draw, print and save themselves. If the answer is a number or a list, a limit that
ends the search raises `Unfinished`; Ctrl-C raises `Interrupted`. Commands of the same names print these answers.
"""
