try:
    1 / 0
except ZeroDivisionError:
    raise RuntimeError("hidden cause") from None
