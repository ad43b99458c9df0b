def close():
    raise OSError("while closing")


try:
    raise ValueError("first")
finally:
    close()
