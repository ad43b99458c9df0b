# run: subprocess
import os
import tempfile

import tensorflow as tf
from small import train

with tempfile.TemporaryDirectory() as folder:
    tf.debugging.experimental.enable_dump_debug_info(folder, "FULL_HEALTH", circular_buffer_size=-1)
    print(train())
    tf.debugging.experimental.disable_dump_debug_info()
    print(len(os.listdir(folder)) > 0)
