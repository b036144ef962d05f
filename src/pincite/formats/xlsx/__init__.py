"""Workbooks (XLSX, XLS, ODS)."""
