"""What pyproject.toml cannot say: a part that is compiled, and may be missing.

In a development install (editable), a missing C compiler is taken from the package index: docs/decisions/0010-*.md.
TENSORWHY_PURE=1 leaves the compiled part out: then the wheel is for every platform. TENSORWHY_COMPILED=1 fails the
build if the part cannot be compiled, as a release must.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

COMPILED = [
    Extension(
        f"tensorwhy.recording.{name}",
        [f"src/tensorwhy/recording/{name}.c"],
        optional=not os.environ.get("TENSORWHY_COMPILED"),
    )
    for name in ("_fast", "_mode")
]
ZIG = "ziglang==0.14.1"  # a C compiler with the C library's headers, as a wheel of 83 MB
# Not the flags that setuptools takes from this Python: those are for the compiler that Python was built with.
FLAGS = ["-O3", "-DNDEBUG", "-fwrapv", "-fPIC", "-Wall"]


class BuildExt(build_ext):
    """Where the compiler that this Python was built with is missing, looks for another one."""

    def build_extensions(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            if self.wants_another() and (found := on_path() or (self.for_development() and from_index(folder))):
                compiler, linker = found
                self.compiler.set_executables(compiler_so=[*compiler, *FLAGS], linker_so=[*linker, "-shared"])
            super().build_extensions()

    def for_development(self) -> bool:
        """Return whether this is an editable install: only there is a compiler worth a large download."""
        return bool(self.editable_mode)

    def wants_another(self) -> bool:
        headers = any(Path(each, "Python.h").exists() for each in self.include_dirs)
        chosen = os.environ.get("CC") or sys.platform != "linux"  # elsewhere: not tried
        return headers and not chosen and not shutil.which(self.compiler.compiler_so[0])


def on_path() -> tuple[list[str], list[str]] | None:
    """The commands that compile and link, of a compiler on PATH."""
    return next((([name], [name]) for name in ("cc", "gcc", "clang") if shutil.which(name)), None)


def from_index(folder: str) -> tuple[list[str], list[str]] | None:
    """The commands of Zig's C compiler: of an installed `ziglang`, or else of one that pip gets into the folder."""
    python = sys.executable
    if importlib.util.find_spec("ziglang") is None:
        python = f"{folder}/bin/python"
        pip = [python, "-I", "-m", "pip", "--disable-pip-version-check", "--retries=1"]
        try:  # in an environment of its own, since those that are made for a build have no pip, or hide it
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, timeout=100)
            subprocess.run([*pip, "install", "--no-deps", "--only-binary=:all:", ZIG], check=True, timeout=300)
        except (OSError, subprocess.SubprocessError) as error:
            print(f"no C compiler was found, and {ZIG} cannot be had: {error}", file=sys.stderr)
            return None
    os.environ.update(ZIG_GLOBAL_CACHE_DIR=f"{folder}/cache", ZIG_LOCAL_CACHE_DIR=f"{folder}/cache")
    zig = [python, "-m", "ziglang"]
    # Unless told, it compiles for the processor of this very machine. The linker alone, since `zig cc` first compiles
    # libraries that are not used here, for half a minute; what is used of the C library, Python has loaded.
    return [*zig, "cc", "-mcpu=baseline"], [*zig, "ld.lld"]


setup(ext_modules=[] if os.environ.get("TENSORWHY_PURE") else COMPILED, cmdclass={"build_ext": BuildExt})
