import sys

print([line.strip() for line in sys.stdin])
