"""One file per kind of failure; each reads the live objects of a failed program."""
