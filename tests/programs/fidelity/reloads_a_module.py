import importlib
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
with tempfile.TemporaryDirectory() as folder:
    sys.path.insert(0, folder)
    Path(folder, "changing.py").write_text("value = 1\n")
    import changing

    print(changing.value, changing.__spec__.name, type(changing.__spec__).__name__)
    Path(folder, "changing.py").write_text("value = 22\n")
    print(importlib.reload(changing).value)
    Path(folder, "changing.py").write_text("value = \n")
    try:
        importlib.reload(changing)
    except SyntaxError as error:
        print(error.msg, error.lineno)
    del sys.modules["changing"]
