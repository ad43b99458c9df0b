"""The one reader of Python source: positions, calls, names, scopes, notebooks. It runs nothing."""
