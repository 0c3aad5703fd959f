"""Draw the figures and tables of a published text again from records: the thesis, and Busche's article on FILA.

Each module has a table of what its text shows. What has no records is named, and nothing stands for it.
"""
