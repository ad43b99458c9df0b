"""The checks, one module each: see `tensorwhy.checks`."""
