"""The only rooms that know a framework. Each adapter imports its framework inside functions, after the user did."""
