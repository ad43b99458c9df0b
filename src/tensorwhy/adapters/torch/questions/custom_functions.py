"""Functions whose backward pass the program wrote itself: `torch.autograd.Function`."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from typing import Any

import torch
from torch.autograd.function import once_differentiable

from tensorwhy.adapters.torch.operations.graphs import keeps_graphs, nodes, tensors
from tensorwhy.adapters.torch.operations.kinds import is_in_place
from tensorwhy.adapters.torch.recording.reads import Reads
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.unseen import Guarded, Unseen
from tensorwhy.adapters.torch.recording.warned import WARNED
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Function, Sources
from tensorwhy.source.reading import last_name

_ONCE = once_differentiable(lambda ctx: None).__code__
_DECORATORS = 5
"""A function begins so many lines at most below its first decorator."""
_LOOKS = 3
_READS = 256
"""In so many calls it is looked at what they compute with."""


class CustomFunctions:
    """Follows their calls. `code` has file and line of their `backward`, by the row of a call, and `none` its Nones."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.code: dict[int, tuple[str, int]] = {}
        self.none: dict[int, tuple[int, ...]] = {}
        self.unlike: dict[tuple[str, int], tuple[str, int]] = {}
        """Those that gave a gradient where the one that came in was not 1: the name, and the place of a call."""
        self.off: set[tuple[str, int]] = set()
        """Those that asked for a gradient while no graph was kept, and got None."""
        self.beside: dict[int, tuple[str, set[int]]] = {}
        """By the place of a call: the name, and tensors that `forward` computed with and that were no arguments."""
        self.kept: dict[int, str] = {}
        """By the row of a call: a tensor that `forward`, which keeps no graph, left on `ctx` for `backward`."""
        self.once: dict[int, str] = {}
        """Those whose `backward` is marked `once_differentiable`: the name, by the row of a call."""
        self.integers: dict[str, str] = {}
        """By the name of one that has a `backward`: the dtype of the integers that it returned, without a graph."""
        self._looks: dict[tuple[str, int], int] = {}
        self._left = _READS

    def install(self) -> None:
        """Put the hook in."""
        self._recorder.patches.replace(torch.autograd.Function, "apply", self._wrap_apply)

    def _wrap_apply(self, original: Any) -> Any:
        recorder = self._recorder

        def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
            run = original.__get__(None, cls)  # since PyTorch 2.14 it is no function of Python's
            if not recorder.active or not recorder.on_top():
                return run(*args, **kwargs)
            frame = sys._getframe(1)
            again = cls.__name__ == "CheckpointFunction"  # its operations are those of the program
            start = recorder.journal.position
            reads = self._reads() if not again else None
            on = None if again else recorder.hide()
            begun = WARNED.begin()
            try:
                if reads is None:
                    result = run(*args, **kwargs)
                else:
                    with reads:
                        result = run(*args, **kwargs)
            finally:
                WARNED.end(begun)
                if not again:
                    recorder.show(on)
            with Guarded(recorder.fail):
                self._applied(cls, args, result, recorder.place(frame), start if again else -1, reads)
            return result

        return classmethod(apply)

    def _reads(self) -> Reads | None:
        """What sees the tensors that a call computes with, in the first calls."""
        self._left -= 1
        return Reads(self._recorder.serials.known) if self._left >= 0 and not self._recorder.compiles else None

    def _applied(self, cls: Any, args: Any, result: Any, place: int, start: int, reads: Reads | None) -> None:
        recorder = self._recorder
        given = [each for each in args if isinstance(each, torch.Tensor)]
        inputs = [recorder.serial(each) for each in given]
        if start >= 0:
            rows = recorder.journal.events(start)
            inside = {each for event in rows if event.kind == j.OP for each in event.inputs if each in recorder.leaves}
            inputs += sorted(inside - {*inputs})
        known = recorder.serials.known
        made = [each for each in tensors(result) if known(each) is None or start >= 0 or known(each) not in inputs]
        if not made:
            return
        node = made[0].grad_fn
        own = getattr(cls, "backward", None) is not torch.autograd.Function.backward
        if own and keeps_graphs() and not any(each.requires_grad for each in made):
            dtype = next((each.dtype for each in made if not each.dtype.is_floating_point), None)
            if dtype is not None:
                self.integers[cls.__name__] = str(dtype).removeprefix("torch.")
        by_hand = node is not None and start < 0
        if by_hand and reads is not None and (beside := reads.found - {*inputs}):
            name, before = self.beside.get(place, (cls.__name__, set[int]()))
            self.beside[place] = name, before | beside
        outputs = [(recorder.serials.new(each), each) for each in made]
        at = recorder.op(cls.__name__, place, inputs, outputs, kind=j.RECORDED if by_hand else j.OP)
        if by_hand:
            backward = getattr(cls, "backward", None)
            if getattr(backward, "__code__", None) is _ONCE:
                self.once[at] = cls.__name__
            code = getattr(inspect.unwrap(backward) if callable(backward) else None, "__code__", None)
            if code is not None:
                self.code[at] = code.co_filename, code.co_firstlineno
            if found := next((name for name, each in vars(node).items() if self._is_computed(each)), ""):
                self.kept[at] = found
            node.register_hook(self._hook(at, cls.__name__, place))

    def _is_computed(self, value: Any) -> bool:
        """Whether something on `ctx` is a tensor that the call computed, and no argument of it."""
        return (
            isinstance(value, torch.Tensor)
            and value.is_floating_point()
            and self._recorder.serials.known(value) is None
        )

    def _hook(self, row: int, name: str, place: int) -> Any:
        def hook(grad_inputs: Any, grad_outputs: Any) -> None:
            lost = tuple(at for at, each in enumerate(grad_inputs) if each is None)
            if lost:
                self.none[row] = lost
            key = self.code.get(row, ("", 0))
            looks = self._looks[key] = self._looks.get(key, 0) + 1
            if looks > _LOOKS or len(lost) == len(grad_inputs) or key in self.unlike:
                return
            with torch.no_grad(), Unseen():
                if any(each is not None and bool((each != 1).any()) for each in grad_outputs):
                    self.unlike[key] = name, place

        return hook

    def asked_without_graph(self, frame: Any) -> None:
        """`autograd.grad` gives None to a `backward`, or a function that this calls, and no graph was kept there."""
        for _ in range(4):
            if frame is not None:
                code = frame.f_code
                self.off.add((code.co_filename, code.co_firstlineno))
                frame = frame.f_back

    def is_off(self, location: Location | None, sources: Sources) -> bool:
        """Return whether a line belongs to a `backward` that asks for gradients while no graph is kept."""
        function = sources.function(location) if location is not None else None
        if function is None or location is None:
            return False
        lines = {function.lineno, *(each.lineno for each in _decorators(function))}
        return any((location.file, line) in self.off for line in lines)

    def returned(self, sources: Sources) -> dict[int, Location]:
        """By the row of a call: the last `return` of its `backward`."""
        found = {}
        for row, (file, line) in self.code.items():
            returns = _returns(_function(file, line, sources))
            if returns:
                found[row] = sources.place(file, returns[-1])
        return found

    def marked_once(self, row: int, sources: Sources) -> Location | None:
        """Where the `backward` of a call is marked `once_differentiable`, or begins."""
        file, line = self.code.get(row, ("", 0))
        function = _function(file, line, sources) if line else None
        marks = [each for each in _decorators(function) if last_name(each) == once_differentiable.__name__]
        node = marks[0] if marks else function
        return sources.place(file, node) if node is not None else None

    def own_change(self, row: int, sources: Sources) -> Location | None:
        """Where the `backward` of a call changes in place what `forward` saved for it."""
        file, line = self.code.get(row, ("", 0))
        function = _function(file, line, sources) if line else None
        if not isinstance(function, ast.FunctionDef) or not function.args.args:
            return None
        kept, saved = set[str](), f"{function.args.args[0].arg}.saved_tensors"
        for node in (each for statement in function.body for each in ast.walk(statement)):
            if isinstance(node, ast.Assign) and saved in ast.unparse(node.value):
                kept |= {each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)}
        found = (each for statement in function.body for each in ast.walk(statement))
        for node in (each for each in found if isinstance(each, (ast.stmt, ast.expr))):
            changed: ast.expr | None = None
            if isinstance(node, ast.AugAssign):
                changed = node.target
            elif isinstance(node, ast.Assign):
                changed = next((each for each in node.targets if isinstance(each, ast.Subscript)), None)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_in_place(node.func.attr):
                changed = node.func.value
            while isinstance(changed, ast.Subscript):
                changed = changed.value
            if isinstance(changed, ast.Name) and changed.id in kept:
                return sources.place(file, node)
        return None

    def refused(self, targets: Any, problem: str, asked: Location | None, sources: Sources) -> Iterator[Observed]:
        """The function behind some targets whose gradients the engine did not take."""
        name, found, wrong = (
            problem.partition(": ")[2].removeprefix("function ").removeprefix("Function ").partition(" returned ")
        )
        for node in nodes(targets) if found else ():
            code = getattr(_backward(node), "__code__", None)
            if code is None or node.name() != name:
                continue
            function = _function(code.co_filename, code.co_firstlineno, sources)
            returns = _returns(function)
            owner = name.removesuffix("Backward")
            own = name.startswith("Generated") and isinstance(function, ast.FunctionDef)
            said = f"`{code.co_name}`" if own else f"`{owner}.backward`"
            used = made.place if (made := self._recorder.event(node)) is not None else -1
            where = sources.place(code.co_filename, returns[-1]) if returns else asked
            lines = {"used": self._recorder.journal.location(used), "asked": asked}
            key = "gradients-misfit" if len(returns) == 1 else "gradients-may-misfit"
            yield say(key, where, lines, said=said, wrong=wrong)
            return

    def facts(self, sources: Sources) -> Iterator[Observed]:
        """One fact for each that never reads the gradient that comes in, and gives one all the same."""
        for (file, line), (name, place) in self.unlike.items():
            function = _function(file, line, sources)
            returns = _returns(function)
            given = _unread(function)
            if not returns or not given or function is None:
                continue
            said = " and ".join(f"`{each}`" for each in given)
            lines = {"used": self._recorder.journal.location(place)}
            at = sources.place(file, returns[-1])
            yield say("gradient-unread", at, lines, name=name, said=said, given=given[0])


def _function(file: str, line: int, sources: Sources) -> Function | None:
    """The function that begins at a line, or with its first decorator there."""
    for at in range(line, line + _DECORATORS):
        found = sources.function(Location(file=file, line=at))
        if found is not None and min([found.lineno, *(each.lineno for each in _decorators(found))]) == line:
            return found
    return None


def _decorators(function: Function | None) -> list[ast.expr]:
    return getattr(function, "decorator_list", [])


def _returns(function: Function | None) -> list[ast.Return]:
    return [node for node in ast.walk(function) if isinstance(node, ast.Return)] if function is not None else []


def _backward(node: Any) -> Any:
    """The function of the program's that gives the gradients of a node: of an operator, what was registered."""
    found = getattr(getattr(node, "_forward_cls", None), "backward", None)
    held = (each.cell_contents for each in getattr(found, "__closure__", None) or ())
    return next((own for each in held if (own := getattr(each, "_backward_fn", None)) is not None), found)


def _unread(function: Function | None) -> list[str]:
    """The gradients that a `backward` is given, by name, where it reads none of them."""
    if not isinstance(function, ast.FunctionDef) or function.args.vararg is not None or function.args.kwarg is not None:
        return []
    given = [each.arg for each in (*function.args.posonlyargs, *function.args.args)][1:]
    read = {node.id for each in function.body for node in ast.walk(each) if isinstance(node, ast.Name)}
    return given if not read & {*given, "locals", "super"} else []
