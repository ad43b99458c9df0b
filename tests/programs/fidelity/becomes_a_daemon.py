import os
import sys
import time

reads, writes = os.pipe()
if os.fork():
    os.close(writes)
    print(os.read(reads, 100).decode())
    sys.exit(0)
os.setsid()
if os.fork():
    os._exit(0)
os.closerange(3, writes)
for end in (0, 1, 2):
    os.dup2(os.open(os.devnull, os.O_RDWR), end)
time.sleep(0.1)
os.write(writes, b"from the daemon")
