"""Code that PyTorch compiles: it runs as without the tool, and what happens inside is not seen."""

from __future__ import annotations

import functools
import importlib
import types
from typing import Any

import torch

from tensorwhy.adapters.torch.recording.recorder import Recorder

WORDS = "what runs inside `torch.compile`"


def install(recorder: Recorder) -> None:
    """Take the mode off around each call of what was compiled: the compiler would trace it, and compile again."""

    def wrap_compile(original: Any) -> Any:
        def compile(*args: Any, **kwargs: Any) -> Any:
            recorder.compiles = True
            if recorder.active:
                try:
                    contexts = importlib.import_module("torch._dynamo.eval_frame")._TorchDynamoContext
                    if not getattr(contexts.__call__, "tensorwhy", False):
                        recorder.patches.replace(contexts, "__call__", wrap_context)
                except Exception as error:  # the program goes on whatever happens to the recording
                    recorder.fail(error)
            return original(*args, **kwargs)

        return functools.wraps(original)(compile)

    def wrap_context(original: Any) -> Any:
        def __call__(context: Any, function: Any) -> Any:
            made = original(context, function)
            compiles = type(context).__name__ == "OptimizeContext"  # others keep functions from being compiled
            return hidden(made) if compiles and isinstance(made, types.FunctionType) else made

        found = functools.wraps(original)(__call__)
        found.tensorwhy = True  # type: ignore[attr-defined]
        return found

    def hidden(compiled: Any) -> Any:
        @functools.wraps(compiled)
        def call(*args: Any, **kwargs: Any) -> Any:
            if not recorder.active:
                return compiled(*args, **kwargs)
            recorder.unseen[WORDS] = None
            with recorder.hidden():
                return compiled(*args, **kwargs)

        return call

    recorder.patches.replace(torch, "compile", wrap_compile)
