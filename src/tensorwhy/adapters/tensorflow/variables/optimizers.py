"""Sees which variables' gradients were None when they reached an optimizer.

Keras, in all its packages, filters Nones in one place: there it warns, or refuses. The hook is put in at the first None
that a tape answers, because only then does anybody need it, and because Keras has been imported by then.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder

_FUNCTION = "filter_empty_gradients"
_METHOD = "_filter_empty_gradients"


def keras_optimizers() -> Iterator[tuple[str, ModuleType, list[type]]]:
    """The modules about optimizers of every Keras package that has been imported, each with the classes it defines."""
    for name, module in list(sys.modules.items()):
        if "optimizer" in name and "keras" in name:
            members = list(vars(module).values())
            yield name, module, [each for each in members if isinstance(each, type) and each.__module__ == name]


class Optimizers:
    """`reached` holds the handles' ids of variables whose None came to an optimizer, `refused` of those among them
    with which it raised.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.reached: set[int] = set()
        self.refused: set[int] = set()
        self._recorder = recorder
        self._installed = False

    def install(self) -> None:
        """Hook every Keras package that has been imported. Does nothing when called again."""
        if self._installed:
            return
        self._installed = True
        for name, module, owners in keras_optimizers():
            function = vars(module).get(_FUNCTION)
            if function is not None and function.__module__ == name:
                self._recorder.patches.replace(module, _FUNCTION, self._wrap_function)
            for owner in owners:
                if _METHOD in vars(owner):
                    self._recorder.patches.replace(owner, _METHOD, self._wrap_method)

    def _wrap_function(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def filter_empty_gradients(grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = tuple(grads_and_vars)
            handles = self._note(pairs)
            try:
                return original(pairs, *args, **kwargs)
            except ValueError:
                self.refused |= handles
                raise

        return filter_empty_gradients

    def _wrap_method(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def _filter_empty_gradients(optimizer: Any, grads: Any, variables: Any, *args: Any, **kwargs: Any) -> Any:
            grads, variables = list(grads), list(variables)
            handles = self._note(tuple(zip(grads, variables)))
            try:
                return original(optimizer, grads, variables, *args, **kwargs)
            except ValueError:
                self.refused |= handles
                raise

        return _filter_empty_gradients

    def _note(self, pairs: Any) -> set[int]:
        """The handles' ids of the variables that come with a None."""
        found: set[int] = set()
        try:
            for pair in pairs:
                if isinstance(pair, (tuple, list)) and len(pair) == 2 and pair[0] is None:  # else it is no pair
                    found.add(self._recorder.handle_of(pair[1]))
        except Exception as error:  # a hook never raises into the program
            self._recorder.fail(error)
        self.reached |= found
        return found
