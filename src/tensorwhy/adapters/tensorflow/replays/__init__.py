"""A step executed again, recorded or traced: evaluated, differentiated, observed, and with breaks undone."""
