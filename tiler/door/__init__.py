"""The front door: what `import tiler` offers. Functions over frozen data, and the answers they give.

What they do is done in the folders below; here arguments are checked, limits that end a search become `Unfinished` where a number
or a list is the answer, Ctrl-C becomes `Interrupted`, and answers draw, print and save themselves. Commands of the same names
print these answers.
"""
