"""The event sink, where in the user's source events come from, and trace files. Knows no framework."""
