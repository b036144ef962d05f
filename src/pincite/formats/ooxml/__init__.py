"""Common to all formats of Office Open XML: packages, properties, drawings.

Enters: a zip file, or the parts that `doc`, `ppt` and `rtf` make.
Leaves: parts with their relations, and the text of charts, diagrams, equations and drawings.
First: `package`.
Free: one kind of drawing at a time; run the tests of `docx`, `pptx` and `xlsx`.
Modules: charts, diagrams, equations, numbers, package, pictures, properties, tables, text, theme.
"""
