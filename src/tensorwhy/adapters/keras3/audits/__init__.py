"""One file per kind of silent loss; each reads what the session watched."""
