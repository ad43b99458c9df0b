import os
import sys

# The folder beside this file holds a `tensorflow` that cannot be imported.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "broken_framework"))
try:
    import tensorflow
except ImportError as error:
    tb, names = error.__traceback__, []
    while tb is not None:
        names.append(os.path.basename(tb.tb_frame.f_code.co_filename))
        tb = tb.tb_next
    print(error, names, "tensorflow" in sys.modules)
sys.stdout.flush()
import tensorflow
