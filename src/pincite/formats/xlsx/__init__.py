"""Workbooks (XLSX, XLS, ODS).

Enters: the bytes of a workbook.
Leaves: a section for each sheet, a table with its address for each region; hidden cells as asides.
First: `reader`.
Free: all of it.
Modules: biff, compound, content, drawings, extent, grid, number_formats, package, reader, regions, second_pass, unseen,
    values.
"""
