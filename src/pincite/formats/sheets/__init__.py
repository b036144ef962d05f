"""The parts of reading workbooks (XLSX, XLS, ODS)."""
