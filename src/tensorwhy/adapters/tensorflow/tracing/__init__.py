"""One row per trace: why the function was traced, what it read from Python, and what that became."""
