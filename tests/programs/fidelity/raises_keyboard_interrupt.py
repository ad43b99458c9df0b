import atexit

atexit.register(print, "at exit")


def deep():
    raise KeyboardInterrupt


deep()
