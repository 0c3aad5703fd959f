"""Pieces and boards to be made: sheets of paper, worksheets, plastic, wood."""
