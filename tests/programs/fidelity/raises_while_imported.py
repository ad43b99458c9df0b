def check():
    raise RuntimeError("while importing")


check()
