"""Where NaN comes from that no arithmetic made: the program writes it, or takes a mean of nothing."""

from __future__ import annotations

import ast

import msgspec

from tensorwhy.adapters.torch.replays.replay import Step
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words.words import operation
from tensorwhy.lineage.signal import Break
from tensorwhy.model.facts.signal import Made, SignalBreak
from tensorwhy.source.files import Sources

_WRITING = frozenset(
    {
        *("fill", "fill_", "full", "full_like", "new_full", "masked_fill", "masked_fill_", "index_fill", "index_fill_"),
        *("where", "constant_", "pad", "scatter", "scatter_"),
    }
)


def with_origin(fact: SignalBreak, step: Step, session: Recording, sources: Sources) -> SignalBreak:
    """A fact with the line that writes NaN into the tensor that its operation is given, where there is a single one."""
    given, at = fact.operation.given, fact.operation.at
    if fact.why != "given" or given is None or not given.nans:
        return fact
    alike = (node for node in step.nodes if node.op == fact.operation.name and at < len(node.inputs))
    key = next((node.inputs[at] for node in alike if step.value(node.inputs[at]) == given), 0)
    journal, lineage = session.journal, session.lineage()
    behind = lineage.ancestors((key,), journal.position) if key > 0 else ()
    lines = {journal.location(event.place) for each in behind for event in lineage.makers(each)}
    seen = {(line.file, line.line) for line in lines if line is not None}
    files = {file for file, _ in seen} | {line.file for line in (fact.location, fact.question.location) if line}
    made = [sources.place(file, each) for file in sorted(files) for each in written(file, sources)]
    found = [line for line in made if (line.file, line.line) in seen] or made
    if len(found) != 1:
        return fact
    unseen = (found[0].file, found[0].line) not in seen
    return msgspec.structs.replace(fact, zeros=Made(op="", location=found[0], unseen=unseen))


def written(file: str, sources: Sources) -> list[ast.expr | ast.stmt]:
    """What writes NaN into a tensor, as a file says."""
    nodes = sources.nodes(file)
    names = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_nan(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [node for node in nodes if isinstance(node, (ast.Assign, ast.Call)) and _writes(node, names)]


def _writes(node: ast.Assign | ast.Call, names: set[str]) -> bool:
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript) and _is_nan(node.value, names)
    called = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return called in _WRITING and any(_is_nan(each, names) for each in (*node.args, *(k.value for k in node.keywords)))


def _is_nan(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "float" and len(node.args) == 1:
        return isinstance(node.args[0], ast.Constant) and str(node.args[0].value).lower() == "nan"
    return getattr(node, "attr", "").lower() == "nan" or (isinstance(node, ast.Name) and node.id in {*names, "nan"})


def of_nothing(step: Step | None, found: list[Break]) -> str:
    """The label for a result that is computed from no number at all, or from labels that are all to be ignored."""
    node = step.nodes[found[0].node] if step is not None and found else None
    if node is None or step is None:
        return ""
    given = [step.value(each) for each in node.inputs]
    if any(each is not None and not each.size for each in given):
        return f"{operation(node.op)} is given 0 elements here: a mean of nothing is NaN"
    labels = given[1] if node.op in ("cross_entropy", "nll_loss") and len(given) > 1 else None
    if labels is None or not labels.low == labels.high < 0:
        return ""
    return f"all {labels.size} labels are {labels.low:g}, and are ignored: a mean of nothing is NaN"
