import sys


def inner(values):
    return values["missing"]


def outer():
    try:
        inner({})
    except KeyError as error:
        raise ValueError("no such thing") from error


print("before")
print("warned", file=sys.stderr)
outer()
