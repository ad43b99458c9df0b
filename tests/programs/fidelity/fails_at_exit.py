import atexit


def fail():
    raise ValueError("at exit")


atexit.register(fail)
print("done")
