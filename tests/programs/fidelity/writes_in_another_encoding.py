# -*- coding: latin-1 -*-
import sys

print("café", ascii("café"), sys.getdefaultencoding())
sys.stdout.reconfigure(encoding="utf-16")
print("café")
raise ValueError("café")
