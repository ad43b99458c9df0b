import resource

taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (100 << 20), resource.RLIM_INFINITY))
try:
    bytearray(1 << 30)
except MemoryError:
    print("out of memory")
bytearray(1 << 30)
