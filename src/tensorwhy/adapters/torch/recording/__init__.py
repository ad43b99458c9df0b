"""Writes down what a program does: the function mode, the journal's rows, the calls that can be made again."""
