import time

now = time.time()
time.time = lambda: now - 1_000_000
time.monotonic = time.perf_counter = time.process_time = lambda: -5.0
time.sleep = lambda seconds: print("sleeps", seconds)
time.sleep(1)
print(time.monotonic())
raise ValueError("in the past")
