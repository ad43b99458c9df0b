"""What is said of training that goes nowhere: one row for each finding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tensorwhy.adapters.torch.words.words import SHOWN
from tensorwhy.model.report import Certainty, Severity


class Words(NamedTuple):
    """The words of one finding, with `{names}` for what was seen.

    `marks` has what stands beside further lines, by their role; `other` is a second fix.
    """

    slug: str
    message: str
    label: str
    fix: str
    marks: Mapping[str, str] = {}
    caveat: str = ""
    severity: Severity = "warning"
    certainty: Certainty = "proved"
    other: str = ""
    note: str = ""
    noun: str = "variable"


_CONSTANT = "a term of the loss is a constant, and trains nothing"
_ADDED = {
    "added": "the term is added to the loss here, as a constant",
    "asked": "the loss is differentiated here",
}
_ONCE = Words(
    "loop-misuse",
    "this loader yields nothing in {empty} of {passes} passes: its `{role}` is a {kind}, which can be read only once",
    "its `{role}` was read to its end in the first pass",
    "give the loader an object whose `__iter__` begins anew each time, or a list",
    {"loop": "this loop then has nothing to read", "made": "this function makes the {kind}"},
    caveat="a list has the same order in each epoch",
)
WORDS = {
    "cleared": Words("never-updated",
        "no parameter of this {kind} ever changes: its gradients are cleared between `backward()` and `step()`",
        "the new gradients are cleared here", "clear the gradients before `backward()`, or after `step()`",
        {"step": "and this step finds none", "asked": "they are computed here"}, severity="error"),
    "no-rate": Words("never-updated",
        "no parameter of this {kind} ever changes: its learning rate is 0 in all of {steps} steps",
        "the optimizer is created here", "give the optimizer a learning rate above 0, and look at its scheduler",
        {"step": "this step changes nothing"}, caveat="unless the program only wants to see the optimizer run"),
    "no-backward": Words("never-updated",
        "no parameter of this {kind} ever changes: none of them has a gradient in any of {steps} steps, because"
        " nothing calls `backward()`",
        "no gradient exists here", "clear the gradients, and call `backward()` on the loss, before each step; in a"
        " function that is passed to `step`, do both there, before it returns the loss",
        {"optimizer": "the optimizer is created here"}, caveat="unless gradients are to come from somewhere else"),
    "empty": Words("never-updated",
        "the {steps} steps of this {kind} change nothing: it has no parameters, while {name}{more} {get} gradients",
        "the optimizer is created here, with groups that are empty",
        "look at what collects its parameters, and give it those that are to be trained",
        {"source": "created here", "step": "this step changes nothing"}, severity="error", noun="tensor",
        caveat="unless something else is meant to train them"),
    "empty-too-early": Words("created-too-late",
        "the {steps} steps of this {kind} change nothing: it was created before {name}{more}, and has no parameters",
        "the optimizer is created here, with groups that are empty",
        "create the optimizer after everything that it is to train",
        {"earlier": "this call creates the optimizer", "source": "what it should train is created after that",
         "step": "this step changes nothing"}, severity="error", noun="tensor",
        caveat="unless something else is meant to train them"),
    "never-required": Words("not-trainable",
        "the {steps} steps of this {kind} change nothing: {name} does not require a gradient, and gets none",
        "nothing that it is given here requires a gradient",
        "call `requires_grad_()` on what is to be optimized, before it is used",
        {"step": "this step changes nothing"}, severity="error", noun="tensor"),
    "thawed-late": Words("not-trainable",
        "{name}{more} {are} set free only after `backward()`: {late} of the recorded steps of this {kind} find no"
        " gradient of {them}", "too late for this step",
        "set `requires_grad` before the loss is computed",
        {"asked": "the gradients are computed here", "step": "this step finds none of them"}, noun="parameter"),
    "rounded-away": Words("never-updated",
        "{name}{more} {are} the same after {steps} steps of this {kind}, although {them_get} gradients: each update is"
        " rounded away in {dtype}",
        "this step changes none of these parameters",
        "keep the weights in float32, and compute in {dtype} under `torch.autocast`",
        {"optimizer": "the optimizer is created here"}, certainty="likely", noun="parameter",
        note="near {largest:.3g} the next number of {dtype} is {gap:.2g} away; the learning rate is {rate:.2g}",
        caveat="unless the optimizer is meant to leave them as they are"),
    "rate-zero": Words("never-updated", "the learning rate of this {kind} is 0 in the last {row} of {steps} steps",
        "{label}", "check how long the schedule is, and whether `step()` is called for each batch or each epoch",
        {"step": "these steps change nothing", "rates": "the scheduler makes its steps here, {calls} in all"},
        caveat="unless nothing is meant to change at the end of training"),
    "rate-dead": Words("never-updated",
        "the learning rate of this {kind} is 0 in the last {row} of {steps} steps: this `{schedule}` was created"
        " while it was 0, and goes on from there", "{label}",
        'set `group["lr"]` of each group to where the schedule should begin before this line',
        {"step": "these steps change nothing"}),
    "rate-tiny": Words("never-updated",
        "the learning rate of this {kind} is practically 0 in the last {row} of {steps} steps: it fell from"
        " {peak:.3g} to {rate:.1g}", "{label}",
        "check how long the schedule is, and whether `step()` is called for each batch or each epoch",
        {"step": "these steps change next to nothing", "rates": "the scheduler makes its steps here, {calls} in all"},
        caveat="unless nothing is meant to change at the end of training"),
    "rate-of-another": Words("cloned-or-rebuilt",
        "the schedule changes the learning rate of another {kind}, which makes no step: the rate of the one that"
        " trains stays at {rates}", "this sets the rate of the other one, {calls} times",
        "keep no scheduler with its optimizer in a saved state: load its `state_dict()` into one that was created"
        " with the optimizer that trains",
        {"optimizer": "the one that trains is created here", "step": "and makes its steps here"}),
    "rate-of-groups-before": Words("cloned-or-rebuilt",
        "the learning rate is changed in groups that this {kind} no longer has, from {before:.3g} to {now:.3g}: it"
        " trains with other groups, and their rate is {rates}", "{label}",
        "read `optimizer.param_groups` each time the rate is set; or create the scheduler after the optimizer has got"
        " its last groups",
        {"optimizer": "the optimizer is created here", "replaced": "it gets other groups here",
         "step": "this step uses the new ones"}),
    "no-epoch": Words("loop-misuse",
        "`step` of this `{schedule}` takes its argument for the number of the epoch, and gets {first:.4g} in the first"
        " of {calls} calls, and {last:.4g} in the last: the learning rate goes from {before} to {after}",
        "this number is no epoch", "call `{owner}.step()` without an argument",
        caveat="unless you count the epochs yourself; then pass the number of the epoch",
        other="or use `ReduceLROnPlateau`, whose `step` takes a loss"),
    "rate-overwritten": Words("not-restored",
        "the learning rate {rates} that the optimizer has loaded is overwritten: `{schedule}` sets it to {after} as"
        " it is created", "this sets the learning rate again",
        "create the scheduler first, and load the state of both after that",
        {"loaded": "the state of the optimizer is loaded here"}),
    "summed": Words("loop-misuse",
        "the gradients of this {kind} are never cleared: each of {steps} applies the sum over all steps"
        " before it, too", "the sum is applied here", "call `{owner}.zero_grad()` before `backward()`",
        {"asked": "each call adds to `.grad`"},
        caveat="unless each step is meant to apply the gradients of all earlier steps again"),
    "summed-often": Words("loop-misuse",
        "the gradients of this {kind} are not cleared before every step: {summed} of {steps} also apply gradients"
        " that the step before has applied already", "not called before each step",
        "call `{owner}.zero_grad()` before each `backward()`",
        {"asked": "each call adds to `.grad`", "step": "the sum is applied here"},
        caveat="unless steps are meant to apply the gradients of earlier steps again"),
    "dropped": Words("loop-misuse",
        "each step of this {kind} uses only a part of the gradients: of {size} calls of `backward()` before it, the"
        " gradients of {lost} are cleared unused", "gradients that no step has used are cleared here",
        "clear the gradients only after `step()`, in the same branch",
        {"asked": "they are computed here", "step": "this step finds only the last ones"},
        caveat="unless the other calls of `backward()` are meant to have no effect"),
    "part-cleared": Words("loop-misuse",
        "each step of this {kind} uses only a part of the gradients that one `backward()` computes: for parameters that"
        " another {other} has, too, that one clears them before", "gradients that no step has used are cleared here",
        "clear the gradients of all optimizers before the first `backward()`, or add the losses and call it once",
        {"asked": "gradients are computed here", "step": "this step finds only a part of them"},
        caveat="unless only the last loss should train the parameters that both have", certainty="likely"),
    "repeated": Words("loop-misuse",
        "{repeated} of {calls} calls of `step()` of this {kind} apply gradients that the call before has applied"
        " already: no `backward()` comes in between", "the same gradients are applied again here",
        "call `step()` once after each `backward()`",
        {"asked": "the gradients are computed here"}, caveat="unless each gradient should be applied twice"),
    "hand-summed": Words("loop-misuse",
        "the gradient of {name} is never cleared: each of the {steps} updates seen applies the sum over all updates"
        " before it, too", "the sum is applied here", "set `{owner}.grad = None` after this line",
        {"asked": "each call adds to `.grad`"},
        caveat="unless each update is meant to apply all earlier gradients again"),
    "hand-cleared": Words("never-updated",
        "{name} never changes: its gradient is cleared between `backward()` and the update", "it is cleared here",
        "clear the gradient before `backward()`, or after the update",
        {"step": "this update finds only zeros", "asked": "it is computed here"}, severity="error"),
    "plain-attribute": Words("untracked-variable",
        "{name} of `{owner}` {get} gradients and {are} never trained: a plain tensor is no parameter, and"
        " `parameters()` does not list it", "a plain tensor, and no parameter",
        "make it a parameter: `nn.Parameter(...)`", {"optimizer": "the optimizer is created here, without it"},
        caveat="unless it should stay as it is; then create it without `requires_grad`", certainty="likely"),
    "plain-tensor": Words("not-trainable",
        "{name} {get} gradients and {are} never trained: no optimizer has {them}, and nothing computes with `.grad`",
        "created here", "give the optimizer this tensor, too",
        {"optimizer": "the optimizer is created here, without it"},
        caveat="unless it should stay as it is; then create it without `requires_grad`", certainty="likely"),
    "closed": Words("loop-misuse",
        "this {kind} calls its closure {calls} times in a step, and the closure never runs `backward()`: all calls"
        " see the same gradients", "this calls the closure again for each new value of the parameters",
        "move `zero_grad()`, the computation of the loss, and `backward()` into the closure",
        {"closure": "the closure", "asked": "the gradients are computed here"}, severity="error"),
    "closure-summed": Words("loop-misuse",
        "this {kind} calls its closure {calls} times in a step, and nothing clears the gradients in between: each call"
        " adds to those of the calls before it", "this calls the closure again for each new value of the parameters",
        "call `{owner}.zero_grad()` in the closure, before `backward()`",
        {"closure": "the closure", "asked": "each call adds to `.grad`"}, severity="error",
        caveat="unless the sum over all values of the parameters is meant"),
    "never-stepped": Words("never-updated",
        "no parameter of this {kind} ever changes: `step()` was never called, after {calls} calls of `backward()`",
        "the optimizer is created here", "call `{owner}.step()` after `backward()`",
        {"asked": "the gradients are computed here"}, caveat="unless only the gradients are wanted"),
    "never-reached": Words("never-updated",
        "no parameter of this {kind} ever changes: `step()` was never called, after {calls} calls of `backward()`",
        "this is never reached", "check the condition that leads to this line, with the values that it has",
        {"asked": "the gradients are computed here", "optimizer": "the optimizer is created here"},
        caveat="unless only the gradients are wanted"),
    "clip-early": Words("loop-misuse", "{name} has no effect: it is called before `backward()`",
        "the gradients that are clipped here are not the ones that a step uses",
        "clip the gradients after `backward()` and before `step()`",
        {"asked": "the gradients are computed here", "step": "and used here, as they are"}),
    "clip-spent": Words("loop-misuse", "{name} has no effect: it clips gradients that the step before has used",
        "the gradients that are clipped here are not the ones that a step uses",
        "clip the gradients after `backward()` and before `step()`",
        {"asked": "the gradients are computed here", "step": "and used here, as they are"}),
    "clip-scaled": Words("loop-misuse",
        "{name} clips scaled gradients: the scaler divides them by {scale:g} after that, and a norm of {norm:.2g} is"
        " left where the limit is {limit:g}", "gradients that are still scaled are clipped here",
        "call `scaler.unscale_(optimizer)` before the gradients are clipped",
        {"step": "they are divided by the scale here, and used"}),
    "clip-nothing": Words("loop-misuse",
        "{name} clips nothing in all of its {calls} first calls: it is given no parameter", "nothing is clipped here",
        "give it the parameters whose gradients are to be clipped"),
    "clip-exhausted": Words("loop-misuse",
        "{name} clips nothing in all of its {calls} first calls: `{text}` is an iterator, and was read to its end"
        " before", "`{text}` can be read only once", "make it a list, which can be read again: `{text} = list(...)`",
        {"clip": "it has nothing left here"}),
    "iterator-exhausted": Words("loop-misuse",
        "`{text}` was read to its end, and then kept: a loop over it changed the parameters once, and nothing changes"
        " them in the {calls} calls of `backward()` since then", "this gives an iterator, which can be read only once",
        "keep a list, which can be read again: `list({text})`", {"asked": "their gradients are computed here"},
        caveat="unless they are meant to change only once"),
    "loader-exhausted": _ONCE,
    "loader-read-once": _ONCE._replace(certainty="likely"),
    "read-once": Words("loop-misuse",
        "`{name}` yields nothing after the first pass: `{text}` is an iterator, which can be read only once, and it is"
        " made before the outer loop", "made only once, here",
        "make it again in each pass, or a list of it: `list({text})`",
        {"outer": "the outer loop begins here", "loop": "from the second pass on, this loop has nothing to read"},
        caveat="a list holds everything in memory, in the same order each time", certainty="likely"),
    "loop-exhausted": Words("loop-misuse",
        "a loop over `{text}` does nothing: it is an iterator, and the optimizer has read it to its end",
        "`{text}` can be read only once", "make it a list, which can be read again: `{text} = list(...)`",
        {"step": "the optimizer reads it to its end here", "loop": "it has nothing left here"},
        caveat="unless the loop is meant to do nothing", certainty="likely"),
    "left-in-evaluation": Words("statistics-never-moved",
        "the last {since} of {steps} steps of this {kind} train in evaluation mode: {layers} worked as in training"
        " before, and no longer do", "evaluation mode begins here, and nothing ends it",
        "call `train()` of the model before training goes on", {"step": "training goes on here"},
        caveat="unless training is meant to go on without dropout, and with fixed statistics"),
    "always-in-evaluation": Words("statistics-never-moved",
        "all {steps} steps of this {kind} train in evaluation mode: {layers} never saw a batch in training mode, and"
        " computes with the mean 0 and the variance 1 of its first statistics",
        "evaluation mode begins here, and nothing ends it", "call `train()` of the model before it is trained",
        {"step": "it is trained here"}, caveat="unless the layer should work without statistics; then replace it"),
    "copied-without-statistics": Words("statistics-never-moved",
        "the parameters of this {kind} change, and the statistics of {layers} never do: in evaluation mode it"
        " computes with the mean 0 and the variance 1 that they began with", "this copy works in evaluation mode",
        "copy the buffers, too: `for one, other in zip(copy.buffers(), model.buffers()): one.copy_(other)`"),
    "first-statistics": Words("statistics-never-moved",
        "in evaluation mode {layers} computes with the mean 0 and the variance 1 of its first statistics: no batch in"
        " training mode came before, so its results differ from those in training mode",
        "evaluation mode begins here", "run data through the model in training mode first, or load its statistics",
        caveat="unless the difference is expected"),
    "state-shared": Words("not-restored",
        "loading this state restores nothing: `state_dict()` returns the tensors of the model itself, and no copies,"
        " and they have changed since", "this is no copy: it changes with the model",
        "keep a copy: `copy.deepcopy({text})`, after `import copy`",
        {"loaded": "it is loaded into the same model here"}, caveat="unless the last values should stay"),
    "state-moved": Words("not-restored",
        "the state that is saved is not the one that was taken here: `state_dict()` returns the tensors of the model"
        " itself, and no copies, and they have changed since", "this is no copy: it changes with the model",
        "keep a copy: `copy.deepcopy({text})`, after `import copy`",
        {"saved": "it is saved here, with the values of now"},
        caveat="unless the last values should be saved", certainty="likely"),
    "load-own": Words("not-restored",
        "{name} changes nothing: all values in the state are those that the model has already, and the update of it"
        " brought no other ones", "the model keeps the values that it had",
        "compare the names of the values that are added with those of `state_dict()`",
        {"merged": "no name that is added here is one of the model"}),
    "load-undone": Words("not-restored",
        "the first step undoes what was loaded into this {kind}: its parameters are within {back:.2g} of what they were"
        " before, and {away:.2g} away from the loaded values", "these values are in the model for one step only",
        "load before the optimizer is created, or copy the loaded values into its own copies, too",
        {"stored": "other values are put into the parameters here", "optimizer": "this optimizer has none of these"
         " parameters, but copies"}, caveat="unless the loaded values are for one step only"),
    "load-overdrawn": Words("not-restored",
        "all weights that `load_state_dict` gave this {kind} are initialized again before they are used",
        "this overwrites the loaded values", "load the weights after this, or skip the loaded layers here",
        {"loaded": "loaded here"}, caveat="unless only the other values of the state are wanted"),
    "traced-number": Words("trace-time-value",
        "this number is a constant of the trace, {value}: the traced module is called with {now} instead of {then},"
        " and {end}", "a Python number here, which tracing does not follow",
        "read sizes as `x.shape[0]`, or compile this function with `torch.jit.script`, which keeps it",
        {"trace": "traced here, for one size", "call": "called here with another one"},
        caveat="`torch.jit.script` takes only a part of Python", certainty="likely"),
    "traced-branch": Words("trace-time-value",
        "this condition is evaluated only while tracing: it was {taken} for the example, and is the same for all data",
        "a branch of Python", "compile this with `torch.jit.script`, which keeps the branch, or use `torch.where`",
        {"trace": "traced here"}, severity="note", caveat="unless all data decide it alike"),
    "traced-loop": Words("trace-time-value",
        "tracing unrolled this loop for a size of {value}: the traced module is called with {now} instead of {then},"
        " and {end}", "the trace has as many iterations as the example needed",
        "compile this function with `torch.jit.script`, which keeps the loop, or write it without one",
        {"trace": "traced here, for one size", "call": "called here with another one"},
        caveat="`torch.jit.script` takes only a part of Python", certainty="likely"),
    "tie-cut": Words("cloned-or-rebuilt",
        "`{one}` and `{other}` were one parameter, and are two since this `{what}`{values}",
        "new parameters take the place of the old ones here, one for each name", "tie them again after it: `{tie}`",
        caveat="unless they should be trained apart from here on"),
    "load-itself": Words("not-restored",
        "{name} changes nothing: the state that it loads is that of the same model", "the model keeps the values that"
        " it had", "load the `state_dict()` of the model that the values should come from"),
    "copied-onto-itself": Words("not-restored",
        "`{name}` keeps its value: what is copied into it here is the value of the same parameter",
        "this copies nothing", "copy the parameter of the model that the values should come from"),
    "load-nothing": Words("not-restored",
        "{name} restores nothing: none of the {given} names in the state is one of the model, and `strict=False` says"
        " nothing of it", "the model keeps the values that it had", "{advice}"),
    "load-part": Words("not-restored",
        "{name} restores only a part: {lost} of the {given} names in the state are none of the model, and"
        " `strict=False` says nothing of it; {matched} of them differ only in {difference}",
        "the model keeps the values that it had for the rest", "{advice}"),
    "frozen-but-changed": Words("changed-though-frozen",
        "{name} {verb} frozen (`requires_grad=False`), and this {kind} still changes {them}, by up to {moved:.1g} in"
        " a step: {their} `.grad` is {what}, and an optimizer skips only None", "{label}",
        "set `.grad = None` for each parameter that is frozen, or give the optimizer only the others",
        {"optimizer": "the optimizer that has them is created here", "step": "and changes them here"}),
    "masked-but-moved": Words("changed-though-frozen",
        "{values} values of {name}{more} change in the steps of this {kind}, although the program sets their gradient"
        " to 0: {by} moves them", "their gradient is set to 0 here",
        "{fix}", {"step": "this step moves them", "optimizer": "the optimizer is created here"}, certainty="likely",
        noun="parameter", caveat="unless these values should still follow earlier gradients",
        other="or set the values back after each `step()`: multiply them by the mask, too"),
    "attribute-ignored": Words("ignored-setting",
        "`{name}.requires_grad = False` freezes nothing: a module has no such attribute, its parameters still require"
        " gradients, and this {kind} trains them", "this sets an attribute that nothing reads",
        "call `{name}.requires_grad_(False)`", {"step": "its parameters change here"}),
    "set-aside": Words("ignored-setting",
        "`requires_grad = {value}` has no effect on {name}{more}: it is set on another tensor, which only shares its"
        " memory", "not the parameter itself, but what `state_dict()`, `.data` or `detach()` gives",
        "set it on the parameters that `parameters()` or `named_parameters()` gives",
        {"step": "this step {does}"}, noun="parameter"),
    "apply-nothing": Words("ignored-setting",
        "{name} changes no parameter of this {kind}: no module in it meets the conditions of the function",
        "every parameter keeps its value",
        "print `type(module)` in the function, and compare it with the condition there",
        caveat="unless the model should keep its own initial values", certainty="likely"),
    "loaded-from-itself": Words("loop-misuse",
        "`{one}` and `{other}` are one model: loading the state of one into the other changes nothing, and both change"
        " with each step", "this copies nothing: both names mean the same object",
        "make a copy: `{other} = copy.deepcopy({one})`",
        {"load": "this loads the state that the model has already"}),
    "forced-leaf": Words("forced-leaf",
        "`{text}` only silences the error of `backward()`: it makes the result a leaf, and no parameter gets a"
        " gradient",
        "the result becomes a leaf here", "remove this line, and what took the result out of the graph before it:"
        " `torch.no_grad()`, `detach()`, or a conversion to numbers", severity="error"),
    "not-retained": Words("not-retained",
        "`.grad` of `{text}` is None: it is computed from other tensors, and PyTorch keeps only the gradients of leaf"
        " tensors", "computed from other tensors here: no leaf",
        "call `{name}.retain_grad()` after this line, before `backward()`", {"read": "`.grad` is read here"},
        caveat="its gradient then needs memory until the tensor is gone",
        other="or make `{name}` the leaf: call `{name}.requires_grad_()` after this line, and set `requires_grad` on"
        " nothing that it is computed from"),
    "copied-and-kept": Words("untracked-variable",
        "`{name}` is no parameter and never gets a gradient: `{how}` computed it from one that no module and no"
        " optimizer has",
        "computed from a parameter here: no leaf",
        "convert first (dtype, device), and make a parameter of the result: `nn.Parameter(tensor{how})`",
        {"read": "`.grad` is read here, and is None"},
        caveat="unless only its gradient is wanted; then call `{name}.retain_grad()` before `backward()`"),
    "converted-leaf": Words("not-retained",
        "`.grad` of `{text}` is None: `{how}` returns a result, and the gradient goes to the leaf that it converts",
        "converted here: no leaf any more", "convert first, and make the result the leaf: call `requires_grad_()` last",
        {"read": "`.grad` is read here, and is None"},
        caveat="unless only its gradient is wanted; then call `{name}.retain_grad()` before `backward()`"),
    "rebound": Words("variable-overwritten",
        "`{name}` is no leaf any more: this statement gives its name to a result, which gets no gradient",
        "`{name}` becomes a result here",
        "change the leaf in place: `with torch.no_grad(): {name} -= ...`, or use an optimizer",
        {"read": "`.grad` is read here, and is None"}, severity="error"),
    "rebound-in-loop": Words("variable-overwritten",
        "this loop changes nothing: `{text}` only gives the name `{name}` to another tensor", "no value is copied here",
        "copy into the tensor, under `torch.no_grad()`: `{name}.copy_(...)`",
        {"loop": "this loop has no other effect"}, certainty="likely"),
    "not-leaf": Words("variable-overwritten",
        "the optimizer was given {what} that is computed from other tensors: only leaf tensors can be optimized",
        "computed from other tensors here: no leaf", "make it a leaf: `x = (...).detach().requires_grad_()`",
        {"optimizer": "the optimizer refuses it"}, severity="error",
        other="or optimize what it is computed from, and compute it again in each step"),
    "leaf-in-place": Words("modified-in-place",
        "{what} is a leaf that requires a gradient, and was to be changed in place while a graph is kept",
        "PyTorch refuses to change a leaf here", "set its value under `with torch.no_grad():`",
        {"source": "the leaf is created here"}, severity="error", other="or change a copy: `x = leaf.clone()`"),
    "inference-in-place": Words("recording-stopped",
        "{what} was computed in `torch.inference_mode()`, and such a tensor cannot be used for gradients",
        "used here, where a graph is kept", "compute it outside of `inference_mode()`",
        {"made": "computed here", "off": "`inference_mode` begins here"}, severity="error",
        caveat="unless it is meant as a constant; then use `torch.no_grad()`, or `clone()` it"),
    "created-each-call": Words("created-each-call",
        "parameters are created again in each call of `forward`, so no optimizer ever changes them",
        "created in each call", "create the layer once, in `__init__`, and call it in `forward`",
        {"optimizer": "no optimizer ever has them"}, severity="error", noun="parameter"),
    "created-each-step": Words("created-each-call",
        "this parameter is created again {how}: it gets gradients, and no optimizer ever changes it",
        "created anew for each step, with its first value", "create it once, {outside}, and give it to the optimizer",
        {"optimizer": "no optimizer ever has it"}, caveat="unless it should keep its first value; then make it a"
        " constant", certainty="likely", noun="parameter"),
    "frozen-statistics-again": Words("changed-though-frozen",
        "the running statistics of {layers} change in each step, although the parameters are frozen: this line turns"
        " evaluation mode off again", "back in training mode here", "call `eval()` of these layers after this line, or"
        " override `train` of the model to do that",
        {"frozen": "the parameters are frozen here"},
        caveat="unless the statistics should adapt to the new data; then leave it"),
    "frozen-statistics": Words("changed-though-frozen",
        "the running statistics of {layers} change in each step, although the parameters are frozen:"
        " `requires_grad=False` does not stop them", "the parameters are frozen here",
        "also call `{owner}.eval()`, here and after each later `train()`",
        caveat="unless the statistics should adapt to the new data; then leave it"),
    "in-container": Words("wrong-container",
        "{name} {get} gradients and {are} never trained: `{attribute}` of `{owner}` is a plain {container}, and"
        " `parameters()` does not look into it", "created here, for a plain {container}", "keep them in `{wanted}`",
        caveat="unless another optimizer is meant to train them, or none", noun="parameter"),
    "in-object": Words("wrong-container",
        "{name} {get} gradients and {are} never trained: `{plain}` is not an `nn.Module`, and `parameters()` of"
        " `{owner}` does not look into it", "created here, for a plain object of class `{plain}`",
        "make `{plain}` a subclass of `nn.Module` that calls `super().__init__()`{listed}",
        caveat="unless another optimizer is meant to train them, or none", noun="parameter"),
    "copied-parameter": Words("untracked-variable",
        "{name} of `{owner}` is never trained: it is no parameter, but a tensor that was computed from one",
        "this parameter is kept nowhere",
        "convert first (dtype, device), and make a parameter of the result: `nn.Parameter(tensor)`",
        caveat="unless it is a cache; then compute it anew in each `forward`, from a parameter of the module",
        noun="parameter"),
    "created-too-late": Words("created-too-late",
        "{name} {get} gradients and {are} never trained: created after the optimizer, which got its list of parameters"
        " before", "created here", "create it in `__init__`, or hand it over with `optimizer.add_param_group`",
        {"optimizer": "the optimizer is created here"}, noun="parameter"),
    "replaced": Words("created-too-late",
        "{name} {get} gradients and {are} never trained: they replaced parameters of the model after this {kind} was"
        " created, and it still has the old ones", "they become part of the model here",
        "create the optimizer again once the layers are replaced{again}",
        {"source": "created here", "optimizer": "the optimizer is created here, with the parameters of before",
         "step": "this step leaves the new ones as they are"}, noun="parameter"),
    "in-no-optimizer": Words("not-trainable", "{name} {get} gradients, and no optimizer has {them}", "created here",
        "give the optimizer all parameters, or freeze these with `requires_grad_(False)`",
        {"optimizer": "the optimizer gets other parameters here"}, severity="note", noun="parameter"),
    "forgotten": Words("not-trainable",
        "{name} {get} gradients and {are} never trained: no optimizer has {them}, although it has most of the others of"
        " this model", "the optimizer is created here, without them",
        "give the optimizer these parameters too: check that each group is handed to it", {"source": "created here"},
        caveat="unless they should stay as they are; then freeze them with `requires_grad_(False)`",
        certainty="likely", noun="parameter"),
    "module-forgotten": Words("not-trainable",
        "{name}{more} {get} gradients and {are} never trained: no optimizer has any parameter of this `{owner}`",
        "created here", "give the optimizer the parameters of this `{owner}`, too",
        {"optimizer": "the optimizer is created here, without them"},
        caveat="unless they should stay as they are; then freeze them with `requires_grad_(False)`",
        certainty="likely", noun="parameter"),
    "still-frozen": Words("not-trainable",
        "`{name}`{more} {are} never trained: `{within}` freezes {them} before its own `backward()`, and the steps of"
        " this {kind} after that call find {them} still frozen", "frozen here",
        "let `{within}` set `requires_grad` back before it returns, or give it a copy of the model",
        {"asked": "gradients are computed here, in the same call", "call": "called here",
         "step": "this optimizer has these parameters, and leaves them as they are"},
        caveat="unless they should stay frozen from then on", certainty="likely", noun="parameter"),
    "head-forgotten": Words("not-trainable",
        "{name}{more} {get} gradients, and no optimizer has any parameter of this `{owner}`", "created here",
        "give the optimizer its parameters, or freeze them with `requires_grad_(False)`",
        {"optimizer": "the optimizer gets other parameters here"}, severity="note", noun="parameter"),
    "shares-memory": Words("modified-in-place",
        "{name} changes between the steps of this {kind}: {said} in place, on a tensor that shares the memory of the"
        " parameter", "this changes the parameter itself",
        "compute a new tensor: use {instead} instead of {operations}",
        {"call": "called here", "step": "the optimizer trains it here"}, certainty="likely", noun="parameter",
        caveat="unless the parameter is meant to change here", other="or hand over a copy: `x.detach().clone()`",
        note="`.data` and `detach()` give a tensor with the same memory, and no copy"),
    "gradient-unread": Words("custom-gradient",
        "the `backward` of `{name}` never reads {said}: its result leaves out what comes after `{name}` in the chain"
        " rule", "this gradient does not depend on {said}", "multiply by it: return `{given} * ...` for each input",
        {"used": "the function is used here"}),
    "module-backward": Words("custom-gradient",
        "`{name}.backward` is never called: autograd differentiates what `forward` does, and does not look for a"
        " `backward` of a module", "this has no effect on the gradients",
        "write a `torch.autograd.Function` with this `backward`, and use its `apply()` in `forward`",
        {"source": "the module is created here"}, certainty="likely",
        caveat="unless the method is a leftover; then delete it"),
    "averaged-first": Words("accidental-broadcast",
        "{what} multiplies one {name} over all samples with a number for each sample: each sample gets the same weight"
        " in the gradient", "only the sum of these numbers counts here",
        "multiply sample by sample first, and take the {name} of the products",
        {"reduced": "the {name} over all samples is taken here", "asked": "the loss is differentiated here"}),
    "term-copied": Words("left-tensorflow",
        _CONSTANT + ": `torch.{name}` copies values, and the copy has no history", "copied here, without history",
        "use the tensor itself, or `torch.stack` for a list of tensors", _ADDED, caveat=SHOWN),
    "term-left": Words("left-tensorflow",
        _CONSTANT + ": it was {way} on the way, which has no history", "the value becomes {way} here",
        "stay in PyTorch: remove the conversion, and use torch functions instead",
        {"back": "a new tensor is created here, as a constant", **_ADDED}, caveat=SHOWN, certainty="likely"),
    "term-of-itself": Words("unused", _CONSTANT + ": `{name}` compares {what}, which has no graph, with itself",
        "computed from the same tensor as what it is compared with",
        "compute this operand from the output of the model that is trained",
        {"compared": "compared here", **_ADDED}, caveat=SHOWN, noun="parameter"),
    "loss-misfit": Words("loss-misfit", "{why}: {harm}", "{label}", "{fix}",
        {"loss": "and the loss function takes something else", "asked": "the loss is differentiated here"}),
    "constant-gradient": Words("no-second-order-gradient", "{message}", "this gradient has no history",
        "pass `create_graph=True`",
        {"update": "the update is made with it here", "asked": "the loss is differentiated here"}, caveat="{caveat}"),
    "pairs": Words("accidental-broadcast",
        "{what} broadcasts {shapes[0]} and {shapes[1]} to {result}: the loss {values}", "{label}",
        "give both the same shape: {same}", {"asked": "the gradient of this loss is computed here"},
        caveat="{caveat}"),
}  # fmt: skip
