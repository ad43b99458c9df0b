import os

from small import train

print(train(), flush=True)
os._exit(7)
