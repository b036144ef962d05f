"""Read files in worker processes, so that a hostile file can at worst end one of them.

Enters: jobs: the bytes of a file with its format, or a page to render.
Leaves: the document, or an error that says what the file did.
First: `pool`.
Free: number, lifetime and limits of processes. Only plain data pass between them (`frames`).
Modules: crashed_parts, frames, main, memory, pool, process, processes, read, recogniser, time_limit, zip_guard.
"""
