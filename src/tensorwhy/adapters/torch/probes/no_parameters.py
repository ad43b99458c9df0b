"""An optimizer was given no parameter at all: where did those of the model go?"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.explaining.left_out import CONTAINERS
from tensorwhy.adapters.torch.seen import Reader
from tensorwhy.adapters.torch.words.words import marked
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.source.files import Sources

_READS = ("parameters", "named_parameters")


def probe(live: LiveFailure) -> Iterator[Fact]:
    """What the module has that the line asks for parameters, and what was created and not kept."""
    recording, stack = current.recording(), live.stacks[0]
    raised = stack.first("init__", "optim/optimizer.py")
    own = stack.own
    if recording is None or raised is None or own is None or raised[1] is not stack.raised:
        return
    if raised[1].local("param_groups") != [] or type(live.exceptions[0]) is not ValueError:
        return
    sources = Sources()
    for text, module in _asked(own, sources):
        yield _Empty(recording, sources).told(own.location, text, module)
        return


def _asked(own: Frame, sources: Sources) -> Iterator[tuple[str, Any]]:
    """The modules whose parameters a line was to hand over, in it or where its names were assigned."""
    expression = way.expression(own, sources)
    written: list[ast.AST] = [expression] if expression is not None else []
    given = {node.id for each in written for node in ast.walk(each) if isinstance(node, ast.Name)}
    assigned = (
        node
        for node in sources.nodes(own.location.file if own.location is not None else "")
        if isinstance(node, ast.Assign)
        and any(isinstance(each, ast.Name) and each.id in given for each in node.targets)
    )
    for each in [*written, *assigned]:
        for node in ast.walk(each):
            if isinstance(node, ast.Attribute) and node.attr in _READS:
                module = values.value(node.value, own.frame)
                if module is not MISSING and isinstance(module, torch.nn.Module):
                    yield ast.unparse(node.value), module


class _Empty(Reader):
    """Reads why a module has no parameters for an optimizer."""

    def told(self, asked: Location | None, text: str, module: Any) -> Observed:
        """The first of these that is so."""
        self._asked, self._text, self._module, self._kind = asked, text, module, type(module).__name__
        parameters = list(self._module.parameters())
        if parameters:
            return self._used_up(parameters)
        return self._hidden() or self._plain() or self._dropped() or self._none()

    def _fact(self, why: str, fix: str, label: str = "", at: Location | None = None, slug: str = "") -> Observed:
        return Observed(
            slug=slug or "not-trainable",
            message=f"the optimizer gets no parameters: {why}",
            label=label if at is not None else "the optimizer is created here, without parameters",
            location=at or self._asked,
            related=marked(self._asked if at is not None else None, "the optimizer is created here", "optimizer"),
            severity="error",
            noun="parameter",
            fixes=(Fix(summary=fix),),
        )

    def _used_up(self, parameters: list[Any]) -> Observed:
        number = len(parameters)
        if not any(each.requires_grad for each in parameters):
            place = self._recorder.frozen.get(self._recorder.serials.known(parameters[-1]) or -1, -1)
            return self._fact(
                f"all {number} of `{self._text}` are frozen",
                "leave those that are to be trained with `requires_grad=True`",
                "they are frozen here",
                self._at(place),
            )
        return self._fact(
            f"`{self._text}` has {number}, and what was handed over gave none of them",
            "pass a list: a generator or `filter` gives its items only once",
        )

    def _hidden(self) -> Observed | None:
        """A list, dict or plain object of the module has them."""
        inside = {id(each) for each in self._module.modules()}
        for number, reference in self._recorder.parameters.items():
            parameter = reference()
            held = self._session.modules.holding(parameter) if parameter is not None else None
            if held is not None and held.owner_number in inside:
                kept = held.path.partition("[")[0]
                wanted = CONTAINERS.get(held.container, "an `nn.Module`")
                why = (
                    f"`{kept}` of `{held.owner}` is a plain {held.container}, and `parameters()` does not look into it"
                )
                return self._fact(why, f"keep them in `{wanted}`", f"created here, for a plain {held.container}",
                                  self._made(number),
                                  "wrong-container")  # fmt: skip
        return None

    def _plain(self) -> Observed | None:
        """Tensors that are attributes or buffers."""
        for module in self._module.modules():
            for name, each in vars(module).items():
                if isinstance(each, torch.Tensor) and each.is_floating_point():
                    return self._fact(
                        f"`{name}` of `{type(module).__name__}` is a plain tensor",
                        f"make it a parameter: `self.{name} = nn.Parameter(...)`",
                    )
        buffers = [name for name, each in self._module.named_buffers() if each.is_floating_point()]
        if not buffers:
            return None
        return self._fact(
            f"`{self._text}` keeps `{buffers[0]}`{_more(buffers)} as buffers",
            "register what is to be trained with `nn.Parameter`, not as a buffer",
        )

    def _dropped(self) -> Observed | None:
        """Parameters that its own `__init__` created, and that nobody has now."""
        init, lost = f"{self._kind}.__init__", list[Location]()
        for number, reference in self._recorder.parameters.items():
            chain = self._chain(self._recorder.made.get(number, -1))
            made = next((each for each in chain if each.function.endswith(init)), None)
            if reference() is None and made is not None and made not in lost:
                lost.append(made)
        if not lost:
            return None
        names = [name for each in lost for name in self._sources.names(each)]
        which = f"`{names[0]}`{_more(names)}" if names else "what it created"
        return self._fact(
            f"`{self._kind}.__init__` created layers, and assigned {which} to local names instead of attributes",
            "assign each layer to an attribute: `self.name = ...`",
            "created here, and gone when `__init__` ends",
            lost[0],
        )

    def _none(self) -> Observed:
        own = next((cls for cls in type(self._module).__mro__ if "__init__" in vars(cls)), torch.nn.Module)
        if own is torch.nn.Module:
            return self._fact(
                f"`{self._kind}` defines no `__init__`, so it has no layers",
                "create the layers in a method named `__init__`, with two underscores on each side",
            )
        return self._fact(
            f"`{self._text}` ({self._kind}) has none, and neither has a layer in it",
            "create the layers in `__init__`, and assign each to an attribute of `self`",
        )


def _more(names: list[str]) -> str:
    return f" and {len(names) - 1} more" if len(names) > 1 else ""
