"""A language server for editors: findings of `check` and of runs."""
