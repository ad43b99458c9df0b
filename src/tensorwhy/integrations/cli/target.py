"""The program to run: found and compiled as `python PROGRAM` would, before anything of it runs."""

from __future__ import annotations

import importlib.machinery
import os
import pkgutil
import subprocess
import sys
from types import CodeType, ModuleType
from typing import Any

import msgspec

from tensorwhy.integrations.cli.errors import BadInput
from tensorwhy.recording import regular_files

_kept: list[ModuleType] = []
"""The `__main__` that the process started with: frames below the program still stand in it."""


class Refused(BadInput):
    """A program that Python itself does not accept."""


_NOT_COMPILED = (SyntaxError, ValueError, MemoryError, RecursionError)
"""What Python raises for a source that it cannot compile; the last two for one that is nested too deeply."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes `__main__`.

    `code` is the compiled script. For `-m`, folders and zip files it is None: runpy finds `module` on `sys.path`.
    `flag` is "-m" or nothing, `path0` becomes `sys.path[0]`.
    """

    program: str
    arguments: tuple[str, ...]
    file: str
    path0: str
    flag: tuple[str, ...] = ()
    module: str = "__main__"
    code: CodeType | None = None

    def enter(self) -> dict[str, Any]:
        """Make `sys.argv`, `sys.path` and the namespace of `__main__` the program's own; returns that namespace."""
        sys.orig_argv = [*_interpreter(), *self.flag, self.program, *self.arguments]
        sys.argv = [*(self.flag or (self.program,)), *self.arguments]
        safe = sys.flags.isolated or getattr(sys.flags, "safe_path", False)
        if not safe:
            sys.path[0] = self.path0
        elif self.code is None and not self.flag:
            sys.path.insert(0, self.path0)
        _kept.append(sys.modules["__main__"])
        sys.modules["__main__"] = ModuleType("__main__")
        namespace = vars(sys.modules["__main__"])
        namespace["__loader__"] = importlib.machinery.BuiltinImporter if self.code is None else _loader(self.file)
        namespace |= {"__annotations__": {}, "__builtins__": sys.modules["builtins"]}
        if self.code is not None:
            namespace |= {"__file__": self.file, "__cached__": None}
        return namespace

    @property
    def own(self) -> tuple[str, ...]:
        """Folders that are the user's although they lie among the libraries: a program that is installed there."""
        from tensorwhy.recording.locations import UserCode

        folder = os.path.dirname(self.file)
        return () if UserCode().owns(self.file) or not folder else (folder,)


def script(program: str, arguments: tuple[str, ...]) -> Target:
    """A script, a folder or zip file with `__main__.py`, or a compiled file. Raises BadInput."""
    if not os.path.exists(program):
        if program.startswith("-"):
            raise BadInput(f"{program}: no such option; put the program's own options after its name")
        raise BadInput(f"{program}: no such file; pass the path of the program to run, or `-m` and a module")
    file = _absolute(program)
    if os.path.isdir(program) and not any(os.path.exists(os.path.join(program, f"__main__.py{c}")) for c in ("", "c")):
        raise BadInput(f"{program}: a directory without __main__.py; pass a file, or `-m` and a module")
    if pkgutil.get_importer(file) is not None:
        return Target(program=program, arguments=arguments, file=os.path.join(file, "__main__.py"), path0=file)
    path0 = os.path.dirname(os.path.realpath(program))
    return Target(program=program, arguments=arguments, file=file, path0=path0, code=_compiled(program, file))


def module(name: str, arguments: tuple[str, ...]) -> Target:
    """A module as for `python -m`. Raises BadInput where that is known without importing a package."""
    here = os.getcwd()
    file = name
    if "." not in name and name not in sys.modules:
        spec = importlib.machinery.PathFinder.find_spec(name, [here, *sys.path])
        if spec is not None:
            file = spec.origin or name
            if isinstance(spec.loader, importlib.machinery.SourceFileLoader) and not spec.submodule_search_locations:
                _code(spec.loader, name, name)
        elif name not in sys.builtin_module_names:
            raise BadInput(f"{name}: no such module for {sys.executable}; check the name, or pass the path of a file")
    return Target(program=name, arguments=arguments, file=file, path0=here, flag=("-m",), module=name)


def _interpreter() -> list[str]:
    """How Python itself was called, with its own options: what stands before `-m tensorwhy` or our script."""
    before = sys.orig_argv[: len(sys.orig_argv) - len(sys.argv) + 1]
    return before[: -2 if before[-2:-1] in (["-m"], ["-c"]) else -1] or [sys.executable]


def _absolute(program: str) -> str:
    """As Python makes `__file__` absolute: no normalisation beyond a leading `./` it keeps."""
    return program if os.path.isabs(program) else os.path.join(os.getcwd(), program)


def _loader(file: str) -> Any:
    kind = "SourcelessFileLoader" if file.endswith(".pyc") else "SourceFileLoader"
    return getattr(importlib.machinery, kind)("__main__", file)


def _compiled(program: str, file: str) -> CodeType:
    try:
        if file.endswith(".pyc"):
            regular_files.opened(file).close()
            return _code(_loader(file), "__main__", program)
        source = regular_files.program(file)
    except OSError as error:
        raise BadInput(f"{program}: cannot be read ({error.strerror})") from None
    if file.endswith(".ipynb") and source.lstrip().startswith(b"{"):
        raise BadInput(
            f"{program}: a notebook is not a program; use `%load_ext tensorwhy` in it to explain its cells, "
            f"`tensorwhy check` to read them, or `jupyter nbconvert --to script` to convert it"
        )
    try:
        if not os.path.isfile(file):  # for the line of a SyntaxError, Python would open the pipe, and wait
            compile(source, f"<{program}>", "exec", dont_inherit=True)
    except _NOT_COMPILED as error:
        raise BadInput(str(_refused(program, error))) from None
    try:
        return compile(source, file, "exec", dont_inherit=True)
    except _NOT_COMPILED as error:
        raise _refused(program, error) from None


def _code(loader: Any, name: str, program: str) -> CodeType:
    try:
        code = loader.get_code(name)
    except (*_NOT_COMPILED, ImportError, EOFError) as error:
        raise _refused(program, error) from None
    assert isinstance(code, CodeType)
    return code


def _refused(program: str, error: Exception) -> Refused:
    if isinstance(error, SyntaxError):
        return Refused(syntax_error(program, error))
    return Refused(f"{program}: Python cannot load it ({error})")


def run_by_python(module: bool, program: str, arguments: tuple[str, ...]) -> int:
    """Let Python itself say why it does not accept a program, in its own words. Gives its exit code."""
    flag = ["-m"] if module else []
    done = subprocess.run([*_interpreter(), *flag, program, *arguments], check=False)
    return done.returncode


def syntax_error(program: str, error: SyntaxError) -> str:
    """One line for a program that Python itself does not accept."""
    where = program if error.lineno is None else f"{program}:{error.lineno}"
    if error.lineno is not None and error.offset:
        where += f":{error.offset}"
    return f"{where}: Python cannot parse the program ({type(error).__name__}: {error.msg}); fix that line first"
