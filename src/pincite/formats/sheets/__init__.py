"""Workbooks: XLSX, XLS and ODS."""
