"""The front door: what `import tiler` offers. A dozen functions over frozen data, and the answers they give.

What they do is done in the folders below; here arguments are checked, limits that end a search become `Unfinished` where a number
or a list is the answer, and what is shown in notebooks is drawn.
"""
