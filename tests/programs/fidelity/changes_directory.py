import os
import tempfile

os.chdir(tempfile.gettempdir())
print(os.getcwd() == os.path.realpath(tempfile.gettempdir()))
