"""User interfaces of the tool. Each integration is thin: the same could be done in Python in three lines."""
