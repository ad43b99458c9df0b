"""What is said of what PyTorch refuses where no operand is at fault: one row for each finding."""

from __future__ import annotations

from tensorwhy.adapters.torch.words.found_words import Words
from tensorwhy.adapters.torch.words.words import ONCE_ONLY

_REFUSED = "PyTorch refuses to change it here"
_NEW = "use the operation that makes a new tensor: `inplace=False` for layers, `x = x + 1` for `x += 1`"
_COPY = "or change a copy: `x = x.clone()` before this line"
_CAPTURED = "{what} cannot be changed in place: it is not made by the transform (`grad`, `vmap`) that runs here"
_NOTHING = "{target} has no graph: nothing that it is computed from requires a gradient"
_SILENCED = "`requires_grad_()` on {target} itself only silences the error"
_EACH = (
    "return from {said}, in the order of the inputs of `forward`, one gradient of the same shape for each: None for an"
    " input that needs no gradient"
)
_COPIED = "`{text}` cannot copy a tensor that is a result with a graph; {keeps}only leaves can be copied"
_UNKEPT = (
    "compute `{attribute}` where it is used, in `forward`, and do not keep it; or keep `.detach()` of it, where no"
    " gradient should flow through it"
)
_WEIGHTS = "to keep weights, copy those alone: `copy.deepcopy(model.state_dict())`"
_HISTORY = "what was computed before is used here, with its history"
_RETAINED = "`retain_graph=True` keeps the graph, but not the values of the parameters"
_MIXED = "{what} mixes dtypes: {one} is {has}, and what needs a gradient is {wanted}"
REFUSED = {
    "hooked-in-place": Words("modified-in-place",
        "{what} cannot be changed in place: a full backward hook made it a view", _REFUSED,
        "use the operation that makes a new tensor: `inplace=False` for layers, `relu` for `relu_`",
        {"source": "it is made here", "hook": "the hook is on this layer"}, severity="error",
        other="or hook the output: `output.register_hook(...)` in a forward hook"),
    "custom-in-place": Words("modified-in-place",
        "{what} cannot be changed in place: it is a view that a custom `torch.autograd.Function` returned", _REFUSED,
        _NEW, {"source": "it is made here"}, severity="error", other=_COPY),
    "several-in-place": Words("modified-in-place",
        "{what} cannot be changed in place: it is one of several views that one call made", _REFUSED, _NEW,
        {"source": "it is made here"}, severity="error", other=_COPY),
    "off-in-place": Words("modified-in-place",
        "{what} cannot be changed in place: it is a view that was made while no graph was kept", _REFUSED,
        "take the view where a graph is kept, or change the tensor under `torch.no_grad()`, too",
        {"source": "it is made here"}, severity="error"),
    "captured-in-place": Words("modified-in-place", _CAPTURED, _REFUSED,
        "compute a new tensor and return it, instead of changing this one",
        {"source": "it is created here, outside of the transform"}, severity="error"),
    "statistics-in-place": Words("modified-in-place", _CAPTURED, _REFUSED,
        "create this layer with `track_running_stats=False`",
        {"source": "it is created here, outside of the transform"}, severity="error",
        caveat="unless evaluation needs the running statistics; then use `GroupNorm`, which has none"),
    "target-without-graph": Words("recording-stopped",
        "{target} has no graph: it was computed {how}, where no graph is kept", "graphs are switched off here", "",
        {"asked": "this raises RuntimeError"}, severity="error", certainty="likely"),
    "target-within": Words("recording-stopped",
        "{target} has no graph: it is computed in {where}, where PyTorch keeps no graph",
        "computed here, without a graph",
        "compute it under `with torch.enable_grad():`, from inputs without history: `x = x.detach().requires_grad_()`",
        {"used": "{where} runs here", "asked": "this raises RuntimeError"}, severity="error",
        note="`requires_grad_()` alone does not switch graphs on"),
    "target-not-seen": Words("unexplained",
        "{target} has no graph, and recording was paused when it was computed", "`backward()` is called here",
        "run it again with `--record full`: the report then names the line where the graph ends", severity="error"),
    "target-of-plain-tensors": Words("not-trainable", _NOTHING, "a plain tensor is created here",
        "create {name} with `requires_grad=True`", {"asked": "this raises RuntimeError"}, severity="error",
        note=_SILENCED),
    "target-of-nothing": Words("not-trainable", _NOTHING, "nothing here requires a gradient",
        "compute it from a model's output, or give the input that is to be optimized `requires_grad_()` before it is"
        " used", severity="error", note=_SILENCED),
    "gradients-misfit": Words("custom-gradient", "{said} returned {wrong}", "these gradients do not fit the inputs",
        _EACH, {"used": "the function is used here", "asked": "this raises RuntimeError"}, severity="error"),
    "gradients-may-misfit": Words("custom-gradient", "{said} returned {wrong}",
        "these gradients do not fit the inputs", _EACH,
        {"used": "the function is used here", "asked": "this raises RuntimeError"}, severity="error",
        certainty="likely"),
    "raised-elsewhere": Words("refused-object",
        "this failed {where}, and not in this process: {raised}", "{label}",
        "pass `num_workers=0` while you look for it: then this process does the same, where tensorwhy can observe it",
        {"asked": "raised again here"}, severity="error"),
    "within-transform": Words("refused-object",
        "`backward()` and `torch.autograd.grad` cannot be used inside a transform of `torch.func`: the tensors that it"
        " passes to the function have no graph that they could go back through",
        "a tensor of the transform is used here",
        "use a transform for this derivative, too: `torch.func.grad`, `jvp` or `jacrev` of a function of this input",
        {"made": "the transform calls the function from here"}, severity="error"),
    "recomputed-without-graph": Words("checkpoint-input",
        "a reentrant `checkpoint` computes its function again in `backward()`, and the result has no graph: nothing"
        " that the function uses there requires a gradient, or graphs are off in it",
        "the result of this checkpoint has no graph",
        "call what is frozen directly, without `checkpoint`: without a graph it needs no memory",
        {"asked": "this raises RuntimeError"}, severity="error", noun="parameter",
        other="or pass `use_reentrant=False` to `checkpoint`"),
    "result-copied": Words("refused-object", _COPIED, "`{attribute}` becomes a result here", _UNKEPT,
        {"asked": "the copy fails here"}, severity="error", other=_WEIGHTS),
    "result-copied-somewhere": Words("refused-object", _COPIED, "this is what cannot be copied", _UNKEPT,
        severity="error", other=_WEIGHTS),
    "saved-then-changed": Words("modified-in-place",
        "`backward()` cannot use a value that {name} changed in place: {used} had saved it for its gradient",
        "changed in place here", "",
        {"used": "used here, where its value is saved", "asked": "this raises RuntimeError"}, severity="error"),
    "saved-then-changed-by-itself": Words("modified-in-place",
        "`{name}.backward` changes what `forward` saved for it, so it cannot run a second time",
        "changed in place here",
        "compute a new tensor here instead, and leave the saved one as it is",
        {"used": "`forward` saves it here", "asked": "this raises RuntimeError"}, severity="error"),
    "carried-over-a-step": Words("modified-in-place",
        "{name} carries its graph over from before the last `step()`, which has changed {changed} since, and"
        " `backward()` needs the values of before", _HISTORY, "",
        {"made": "made here", "step": "the parameters change here", "asked": "this raises RuntimeError"},
        severity="error", note=_RETAINED),
    "stepped-between": Words("modified-in-place",
        "`backward()` needs {name} as it was in the forward pass, and `step()` has changed it since",
        "the parameters change here",
        "call every `zero_grad()` first, then every `backward()`, and only then the steps",
        {"used": "used here, in the forward pass", "asked": "this raises RuntimeError"}, severity="error",
        caveat="{parameter} then gets the sum of both gradients", note=_RETAINED,
        other="or compute {loss} again after the first step, from a new forward"),
    "reshaped": Words("modified-in-place",
        "`backward()` cannot add a gradient to {name}: it has the shape {now} by now, and the graph expects {before}:"
        " `.data` changed the shape while the graph of {kept} was alive", "the shape changes here, past the graph",
        "create a new parameter instead, `{text} = nn.Parameter(...)`, and the optimizer again after that",
        {"kept": "when this begins, {kept} still keeps the old graph alive", "asked": "this raises RuntimeError"},
        severity="error", noun="parameter", caveat="unless the parameter must stay the same object; then `del` all that"
        " was computed before this line", certainty="likely"),
    "ready-twice": Words("loop-misuse",
        "this is the second `backward()` after one `forward` of a `DistributedDataParallel`, and both reach"
        " {name}{more}: it expects one gradient of each parameter per `forward`", "{label}",
        "add the losses up and call `backward()` once; or ask for the gradients of each loss with"
        " `torch.autograd.grad` on the results of `{owner}.module(...)`, which is not averaged over processes",
        {"used": "`forward` runs here, once", "asked": "the first `backward()` comes from here"}, severity="error",
        noun="parameter"),
    "gradient-without-gradient": Words("no-second-order-gradient",
        "the gradient of {name} cannot be differentiated again: PyTorch has no derivative of it",
        "only its first gradient exists", "", {"asked": "this needs the second one, and raises RuntimeError"},
        severity="error"),
    "once-only": Words("no-second-order-gradient",
        "the gradient of `{name}` cannot be differentiated again: its `backward` is marked `once_differentiable`",
        ONCE_ONLY[1], ONCE_ONLY[2],
        {"used": "the function is called here", "asked": "this needs the second gradient, and raises RuntimeError"},
        severity="error"),
    "second-backward": Words("tape-consumed",
        "this is the second `backward()` through one graph, and the first one freed it", "the graph is gone by now",
        "add the losses up and call `backward()` once, or compute the loss again", {"asked": "freed by this call"},
        severity="error",
        other="or pass `retain_graph=True` to the first call, unless parameters change in between: the values that it"
        " saved are stale then"),
    "shared-graph": Words("tape-consumed",
        "this `backward()` goes back through {name}, and the first one has freed the graph of that",
        "the graph behind it is gone by now",
        "add the losses up and call `backward()` once, or compute this one again",
        {"made": "made here, for both", "used": "used here, for this one only", "asked": "freed by this call"},
        severity="error",
        other="or `detach()` it where it is used for this one, if it should be a constant there, as a target is"),
    "carried-over": Words("tape-consumed",
        "{name} carries its graph over from before the last `backward()`, which freed it", _HISTORY, "",
        {"made": "made here", "asked": "this raises RuntimeError"}, severity="error",
        note="`retain_graph=True` only hides this: each step then goes back through all earlier ones"),
    "kept-by-cache": Words("tape-consumed",
        "{name} carries its graph over from before the last `backward()`, which freed it", _HISTORY, "{fix}",
        {"made": "made here", "kept": "{label}", "asked": "this raises RuntimeError"}, severity="error",
        caveat="unless it should be a constant; then keep `detach()` of it, and it trains nothing"),
    "mixed": Words("refused-object", _MIXED, "{has} meets {wanted} here, and `{name}` has no gradient for that",
        "{fix}", {"asked": "this raises {error}"}, severity="error"),
    "mixed-somewhere": Words("refused-object", _MIXED, "the gradient of that is refused here", "{fix}",
        {"asked": "this raises {error}"}, severity="error"),
    "all-frozen": Words("not-trainable",
        "{target} has no graph: every parameter that it is computed from is frozen (`requires_grad=False`)", "{label}",
        "leave the parameters that are to learn unfrozen: `requires_grad_(True)`",
        {"asked": "this raises RuntimeError"}, severity="error", noun="parameter",
        caveat="unless an input is to be optimized; then that needs `requires_grad_(True)`"),
    "frozen-asked": Words("not-trainable",
        "no gradient with respect to `{name}`{more} can be asked for: `requires_grad` is False", "{label}",
        "ask only for parameters whose `requires_grad` is True", {"asked": "this raises RuntimeError"},
        severity="error", noun="parameter",
        caveat="unless the frozen ones are to learn, too; then do not freeze them"),
}  # fmt: skip
