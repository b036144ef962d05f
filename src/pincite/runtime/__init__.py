"""What models run on, and work that a call may leave behind.

Enters: settings of a process: device, memory, environment.
Leaves: threads that may be left behind, child processes, private files and lazy imports with safe defaults.
First: `imports`.
Free: one module at a time: none imports from pincite but `model` and `errors`.
Modules: abandonable, allocator, children, device, entry_points, fastembed, garbage, imports, private_files,
    retries, signals.
"""
