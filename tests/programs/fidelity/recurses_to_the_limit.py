import sys


def deepest(level):
    try:
        return deepest(level + 1)
    except RecursionError:
        return level


print(deepest(1), sys.getrecursionlimit())
sys.setrecursionlimit(500)
print(deepest(1), sys.getrecursionlimit())
for wrong in (0, "many"):
    try:
        sys.setrecursionlimit(wrong)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
