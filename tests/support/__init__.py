"""What the tests share: running programs through a fork server, and reading marks in programs."""
