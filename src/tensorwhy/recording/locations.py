"""Whose code is this frame, and which range of source does it stand at?

A location is kept as (code object, index of the last instruction) while recording, which costs two attribute reads,
and resolved to lines and columns only when somebody asks.
"""

from __future__ import annotations

import ast
import functools
import os
import sys
import sysconfig
from collections.abc import Iterable
from types import CodeType, FrameType, TracebackType

from tensorwhy.model.location import Location

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

_UP = os.sep + os.pardir + os.sep
_COMPILED = (".pyx", ".pxd", ".pxi")

_HOOKS = tuple(os.path.join(_OWN, room, "") for room in ("adapters", "recording"))


def is_hook(file: str) -> bool:
    """True if this file name (as in a code object) is one of ours that may stand between a program and its library."""
    return file.startswith(_HOOKS)


def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib") if key in paths}
    folders |= {os.path.realpath(folder) for folder in folders}
    return tuple(sorted(folder.rstrip(os.sep) + os.sep for folder in folders))


class UserCode:
    """Tells the user's code from libraries, the standard library and tensorwhy itself.

    Every file outside the interpreter's library folders is the user's, and so is everything below the folders in
    `own` (a program started with `-m` may be installed in site-packages). Answers are cached per code object's file.
    `below` are the files of frames that the program would not have below it without us.
    """

    def __init__(self, own: tuple[str, ...] = (), below: Iterable[str] = ()) -> None:
        self._own = tuple(os.path.abspath(folder).rstrip(os.sep) + os.sep for folder in own)
        self._libraries = _library_folders()
        self._known: dict[str, bool] = {}
        self._below = frozenset(below)

    @functools.cached_property
    def hidden(self) -> frozenset[str]:
        """File names (as in code objects) whose frames are not the program's doing: ours, and what started us."""
        files = (os.path.join(folder, file) for room in _HOOKS for folder, _, files in os.walk(room) for file in files)
        return self._below | {file for file in files if file.endswith(".py")}

    def owns(self, file: str) -> bool:
        """Return whether this file name (as in a code object) is the user's."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._decide(file)
        return known

    def runs(self, frame: FrameType) -> bool:
        """True if a frame runs the user's code. Text that a library executes (`six.raise_from`) is not theirs."""
        file = frame.f_code.co_filename
        if file != "<string>":
            return self.owns(file)
        return self.owns(str(frame.f_globals.get("__file__") or file))

    def _decide(self, file: str) -> bool:
        if not file or (file.startswith("<") and not file.startswith("<ipython-input")):
            return file in ("<stdin>", "<string>")
        if "__autograph_generated_file" in file:
            return False
        if not self._own and _UP not in file and file.startswith(self._libraries):
            return False  # nearly every file, in a tenth of the time
        path = os.path.abspath(file)
        if file.endswith(_COMPILED) and not os.path.exists(path):
            return False  # Cython names its source as it was where a library was built: `mtrand.pyx`
        if path.startswith(self._own):
            return True
        if path.startswith((_OWN, *self._libraries)):
            return False
        return f"{os.sep}site-packages{os.sep}" not in path and f"{os.sep}dist-packages{os.sep}" not in path


def resolve(code: CodeType, lasti: int, line: int | None = None) -> Location:
    """The source range of an instruction: with exact columns on Python 3.11+, through `executing` before that.

    `line` is used when the code object does not know better (stripped positions).
    """
    positions = getattr(code, "co_positions", None)
    if positions is not None:
        import itertools

        start, end, column, end_column = next(itertools.islice(positions(), lasti // 2, None), (None,) * 4)
        if start is not None:
            return _location(code, start, column, end, end_column)
    if line is None:
        line = _line_of(code, lasti)
    return _location(code, line, None, None, None)


def _line_of(code: CodeType, lasti: int) -> int:
    for start, end, line in code.co_lines():
        if start <= lasti < end and line is not None:
            return line
    return code.co_firstlineno


def _location(code: CodeType, line: int, column: int | None, end: int | None, end_column: int | None) -> Location:
    """Python counts columns in UTF-8 bytes; ours count code points."""
    from tensorwhy.model import source_text

    file = code.co_filename if code.co_filename.startswith("<") else os.path.abspath(code.co_filename)
    return Location(
        file=file,
        line=line,
        column=source_text.code_points(source_text.line(file, line), column) if column is not None else None,
        end_line=end,
        end_column=source_text.code_points(source_text.line(file, end), end_column)
        if end is not None and end_column is not None
        else None,
        function=getattr(code, "co_qualname", code.co_name),
    )


def of_frame(frame: FrameType) -> Location:
    """Where a live frame stands now."""
    if sys.version_info < (3, 11):
        exact = _executing(frame)
        if exact is not None:
            return exact
    return resolve(frame.f_code, frame.f_lasti, frame.f_lineno)


def of_traceback(tb: TracebackType) -> Location:
    """Where a frame stood when the exception passed through it."""
    exact = _executing(tb) if sys.version_info < (3, 11) else None
    return exact or resolve(tb.tb_frame.f_code, tb.tb_lasti, tb.tb_lineno)


def _executing(frame_or_tb: FrameType | TracebackType) -> Location | None:
    """Python 3.10 keeps lines only; `executing` finds the node from the bytecode."""
    from executing import Source

    frame = frame_or_tb.tb_frame if isinstance(frame_or_tb, TracebackType) else frame_or_tb
    node = Source.executing(frame_or_tb).node
    if not isinstance(node, (ast.expr, ast.stmt)):
        return None
    return _location(frame.f_code, node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def caller(user: UserCode, frame: FrameType | None) -> tuple[CodeType, int] | None:
    """The nearest user frame at or above `frame`, as the cheap pair to keep; None when there is none."""
    while frame is not None:
        if user.owns(frame.f_code.co_filename):
            return frame.f_code, frame.f_lasti
        frame = frame.f_back
    return None
