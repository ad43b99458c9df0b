"""Gradient questions that programs ask: of tapes, of accumulators and of graphs."""
