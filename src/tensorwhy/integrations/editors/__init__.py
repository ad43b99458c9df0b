"""What editors ask: a language server for `check`, and for the findings of runs."""
