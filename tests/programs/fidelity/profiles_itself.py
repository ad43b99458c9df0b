import cProfile
import pstats
import sys


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


profile = cProfile.Profile()
profile.runcall(fib, 8)
for (file, line, name), (calls, primitive, *_) in sorted(pstats.Stats(profile).stats.items()):
    print(file.rpartition("/")[2], line, name, calls, primitive)

events = []
sys.setprofile(lambda frame, event, arg: events.append((event, frame.f_code.co_name)))
fib(2)
sys.setprofile(None)
print(events)

lines = []


def tracer(frame, event, arg):
    lines.append((event, frame.f_lineno))
    return tracer


sys.settrace(tracer)
fib(1)
sys.settrace(None)
print(lines)
