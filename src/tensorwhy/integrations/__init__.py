"""Where people meet the tool. Each integration is thin: what it does could be done from Python in three lines."""
