"""Parameters that were one, and are two since a call that puts new ones in the place of those of a model."""

from __future__ import annotations

import ast
import weakref
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from torch import nn

from tensorwhy.adapters.torch.recording.hooks import Call, watch
from tensorwhy.adapters.torch.recording.modules import Modules
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.training.between_steps import memory
from tensorwhy.adapters.torch.words import edits
from tensorwhy.adapters.torch.words.saying import say
from tensorwhy.model.facts.told import Observed
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.files import Sources

_MOST = 64


class Slot(NamedTuple):
    """Where a module keeps a parameter: its name from the outermost module on, the module itself, and the attribute."""

    name: str
    module: weakref.ref[Any]
    key: str

    @property
    def held(self) -> Any:
        """The parameter there by now; None where that is gone."""
        module = self.module()
        return module._parameters.get(self.key) if module is not None else None


class Cut(NamedTuple):
    """Slots that had one parameter before a call of `what`. Those with the names `left` still have it.

    `whole`: it was called for the outermost module.
    """

    place: int
    what: str
    slots: list[Slot]
    left: list[str]
    whole: bool


class Ties:
    """Watches the calls that may cut a tie."""

    def __init__(self, recorder: Recorder, modules: Modules) -> None:
        self._recorder, self._modules = recorder, modules
        self.cuts: list[Cut] = []
        self._looked: dict[int, bool] = {}

    def install(self) -> None:
        """Put the hooks in."""
        watch(self._recorder, nn.Module, "load_state_dict", self._assigns, self._ended)
        watch(self._recorder, nn.Module, "to_empty", self._begins, self._ended)

    def _assigns(self, call: Call) -> None:
        if call.kwargs.get("assign") or len(call.args) > 3:
            self._begins(call)

    def _begins(self, call: Call) -> None:
        """Note the parameters that several slots share."""
        if len(self.cuts) >= _MOST:
            return
        inside = {id(each) for each in call.args[0].modules()}
        call.kept = [
            (slots, id(slots[0].held), root is call.args[0])
            for root in self._modules.roots()
            if any(id(each) in inside for each in root.modules())
            for slots in _shared(root)
        ]

    def _ended(self, call: Call) -> None:
        """Note those that do not any more."""
        for slots, before, whole in call.kept or ():
            if _is_cut(slots):
                left = [each.name for each in slots if id(each.held) == before]
                what = "to_empty()" if isinstance(call.result, nn.Module) else "load_state_dict(..., assign=True)"
                self._recorder.stirred += 1
                self.cuts.append(Cut(self._recorder.place(call.frame), what, slots, left, whole))

    def look(self) -> None:
        """A step is made: a program may have tied them again."""
        for at in range(len(self._looked), len(self.cuts)):
            self._looked[at] = _is_cut(self.cuts[at].slots)

    def facts(self, sources: Sources) -> Iterator[Observed]:
        """One fact for each tie that was cut, and not made again."""
        told = set[int]()
        for at, each in enumerate(self.cuts):
            if each.place in told or not self._looked.get(at, True) or not _is_cut(each.slots):
                continue
            told.add(each.place)
            where = self._recorder.journal.location(each.place)
            names = [slot.name for slot in each.slots if slot.name not in each.left] + each.left
            call = call_at(sources, where) if each.whole else None
            owner = ast.unparse(call.func.value) if call is not None and isinstance(call.func, ast.Attribute) else ""
            tie = " = ".join(_path(owner or "model", name) for name in (names[-1], names[0]))
            yield say(
                "tie-cut",
                where,
                edits=edits.after(where, sources, tie) if owner else (),
                one=names[0],
                other=names[-1],
                what=each.what,
                tie=tie,
                values=f", and `{each.left[0]}` keeps the values that it had" if len(each.left) == 1 else "",
            )


def _path(owner: str, name: str) -> str:
    """How a parameter of a module is written."""
    parts = (f"[{part}]" if part.isdigit() else f".{part}" for part in name.split("."))
    return owner + "".join(parts)


def _shared(root: Any) -> list[list[Slot]]:
    """The parameters of a module that several slots have."""
    found, seen = defaultdict[int, list[Slot]](list), set[tuple[int, str]]()
    for name, module in root.named_modules():
        for key, each in module._parameters.items():
            if each is not None and (id(module), key) not in seen:
                seen.add((id(module), key))
                found[id(each)].append(Slot(f"{name}.{key}".lstrip("."), weakref.ref(module), key))
    return [slots for slots in found.values() if len(slots) > 1]


def _is_cut(slots: list[Slot]) -> bool:
    """Whether slots have different parameters by now, with memory of their own."""
    held = [each.held for each in slots]
    if any(each is None or each.is_meta for each in held):
        return False
    return len({id(each) for each in held}) > 1 and len({memory(each) for each in held}) > 1
