def complain(what):
    raise ValueError(f"{what} must not be empty")  # why: TW409
