import bdb

import small


class Debugger(bdb.Bdb):
    """Steps through the program's own lines, and asks for a variable at one of them."""

    def __init__(self):
        super().__init__(skip=["tensorflow*", "keras*", "tensorwhy*", "numpy*"])
        self.lines = []

    def user_line(self, frame):
        if frame.f_code.co_filename == small.__file__:
            self.lines.append((frame.f_lineno, frame.f_locals.get("step")))
        self.set_step()


debugger = Debugger()
print(debugger.runcall(small.train))
print(debugger.lines)
