"""From a live failure to the one fact about what was refused; nothing where no object of the program was."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import (
    anatomy,
    arguments,
    below,
    candidates,
    chain,
    earlier,
    inside,
    kept,
    lacking,
    operations,
    outward,
    paired,
    parked,
    rebinding,
    remainder,
    returned,
    unwritten,
    values,
    words,
)
from tensorwhy.adapters.refusal.anatomy import Read
from tensorwhy.adapters.refusal.candidates import Candidate
from tensorwhy.adapters.refusal.comparing import Conditions
from tensorwhy.adapters.refusal.context import Context, advice
from tensorwhy.adapters.refusal.described import FrameRule, Vocabulary
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.stack import Stack
from tensorwhy.model.facts.refusal import Check, RefusedObject, Thing
from tensorwhy.model.location import Marked
from tensorwhy.recording.locations import is_hook
from tensorwhy.source import reading

_TESTING = frozenset(("_pytest", "unittest", "testing", "_testing", "test_util"))
"""Parts of the names of modules whose exceptions are verdicts: what a test compares is no argument that was refused."""


def find(live: LiveFailure, vocabularies: Sequence[Vocabulary]) -> RefusedObject | None:
    """What a library refused. The program's own `raise`, and the verdict of a test, say themselves what is wrong.

    Where recursion is too deep, the last frame is that of chance, and what it holds was refused by nobody.
    """
    stack = chain.root(live)
    if stack is None or _is_verdict(stack) or isinstance(stack.exception, RecursionError):
        return None
    contexts = [Context(live, each, vocabularies) for each in live.whole()]
    unmade = (unwritten.find(each) for each in contexts if _rule(each) is None)
    missing = next((each for each in unmade if each is not None), None)
    if missing is not None:
        return missing
    found = _whole(Context(live, stack, vocabularies))
    for outer in live.whole() if found is None else ():
        # What failed first was below Python; a library that answered it with its own exception may have checked more.
        if outer.exception is not stack.exception and outer.own and not (outer.raised.user or _is_verdict(outer)):
            context = Context(live, outer, vocabularies)
            read = anatomy.of(outer, context.sources, context.user)
            found = found or inside.within(Conditions(context).bare(read), context)
    if found is None or (found.how == "condition" and found.check.sides and found.within is None):
        settings = (kept.find(Context(live, each, vocabularies), found) for each in live.whole())
        return next((each for each in settings if each is not None), found)
    return found


def _is_verdict(stack: Stack) -> bool:
    return not _TESTING.isdisjoint(stack.raised.module.split("."))


def _whole(context: Context) -> RefusedObject | None:
    """What was refused, and what failed before in the program's own code."""
    asked = (each.elsewhere for each in context.vocabularies if each.elsewhere is not None)
    found = next((fact for elsewhere in asked if (fact := elsewhere(context.live, context.user)) is not None), None)
    if found is None:
        fact = rebinding.told(_fact(context), context)
        fact = paired.told(remainder.told(fact, context), context)
        return chain.behind(earlier.told(fact, context), context)
    own = context.stack.own
    return found if found.call or own is None else msgspec.structs.replace(found, call=context.called(own))


def _fact(context: Context) -> RefusedObject | None:
    decided_below, tried = below.tried(context)
    hooks = [is_hook(each.frame.f_code.co_filename) for each in context.stack.frames]
    if any(hooks):
        frames = (each for each, ours in zip(context.stack.frames, hooks, strict=True) if not ours)
        context = context.on(Stack(context.stack.exception, tuple(frames)))
    if decided_below or not context.stack.frames:
        return tried
    fact = _told_by_frames(context)
    if fact is None or not fact.check.sides or tried is None:
        return tried or fact
    if tried.thing.text != fact.thing.text:
        return fact
    return msgspec.structs.replace(
        fact,
        check=msgspec.structs.replace(fact.check, accepts=tried.check.accepts),
        advice=fact.advice or tried.advice,
    )


def _told_by_frames(context: Context) -> RefusedObject | None:
    raised = context.stack.raised
    if raised.module.startswith("tensorwhy."):
        return None
    found = _rule(context)
    if below.is_kernels(context):
        return (_Refusal(context, found).fact() if found is not None and found[1].local else None) or below.kernel(
            context
        )
    by_python = raised.user or raised.file.startswith("<")  # NumPy makes functions of its own
    fact = below.of_python(context, by_python)
    if fact is not None or raised.user:
        return fact
    return inside.within(_Refusal(context, found).fact(), context)


def _rule(context: Context) -> tuple[int, FrameRule] | None:
    """The innermost frame of a library that has a row, and the row."""
    stack, last = context.stack, context.stack.innermost_user()
    for index in range(len(stack.frames) - 1, -1 if last is None else last, -1):
        for vocabulary in context.vocabularies:
            for rule in vocabulary.rules:
                within = index < len(stack.frames) - 1 and context.is_apart(stack.frames[index])
                if rule.fits(stack.frames[index]) and not within:
                    return index, rule
    return None


class _Refusal:
    """What a library's own code refused: the object that its condition read, or what else tells of the condition."""

    def __init__(self, context: Context, rule: tuple[int, FrameRule] | None) -> None:
        self._case, self._stack = context, context.stack
        self._at = rule[0] if rule is not None else 0
        self._row = rule[1] if rule is not None else None
        self._conditions = Conditions(context)
        self._read = anatomy.of(context.stack, context.sources, context.user)
        self._every: list[Candidate] = []
        self._best: list[Candidate] = []

    def fact(self) -> RefusedObject | None:
        called = arguments.find(self._case) if self._row is None else None
        called = called or (returned.find(self._read, self._case) if self._row is None else None)
        if called is not None:
            return called
        if self._row is None and any(map(self._case.is_apart, self._stack.inner[:-1])):
            return self._bare()
        self._every = self._candidates()
        if self._row is not None and self._row.place:
            return self._placed(self._row)
        able = [each for each in self._every if each.arrival is not None or each.described is not None]
        named = self._row is not None and bool(self._row.local)
        able = [each for each in able if each.weight > 2 and (named or not each.is_own)]
        able = [each for each in able if candidates.counts(each, self._row, self._case)]
        most = max((each.weight for each in able), default=0)
        self._best = [each for each in able if each.weight == most]
        return self._first(_OBJECT if able else _NO_OBJECT)

    def _first(self, steps: Sequence[Callable[[_Refusal], RefusedObject | None]]) -> RefusedObject | None:
        return next((found for step in steps if (found := step(self)) is not None), None)

    def _candidates(self) -> list[Candidate]:
        if self._row is not None and self._row.local:
            expression = ast.parse(self._row.local, mode="eval").body
            thing = values.value(expression, self._stack.frames[self._at].frame)
            if thing is not MISSING:
                read = Read(text=self._row.local, thing=thing, frame=self._at, direct=True)
                return [candidates.of_read(read, self._case)]
        return candidates.of_reads(self._read.reads, self._case)

    # Where an object was read. Each step knows, or leaves it to the next one.

    def _object(self) -> RefusedObject | None:
        """The object that the condition is about, unless the comparison says more than it."""
        best = self._best[0]
        rivals = [each for each in self._best if each.read.thing is not best.read.thing]
        sure = self._row is not None or not rivals
        told = self._told(best, self._row, sure=sure)
        vague = (
            told is not None
            and self._row is None
            and (told.how == "part" or (told.how == "parked" and not told.parked))
        )
        compared = self._compared() if vague or not sure or told is None else None
        if compared is not None:
            return compared
        if told is not None and (sure or told.how == "parked") and self._is_given(told):
            return self._with_sides(told)
        return None

    # Where no object was read, or none is the refused one.

    def _word(self) -> RefusedObject | None:
        defined = words.defined(self._read, self._row, self._case) if self._row is not None else None
        return defined or words.written(self._read, self._case)

    def _left_out(self) -> RefusedObject | None:
        return lacking.find(self._read, self._case)

    def _further_out(self) -> RefusedObject | None:
        """What the user's line gave, of which the library computed what it refused."""
        for reads in outward.reads(self._read, self._stack, self._case.sources) if not self._read.lacking else ():
            given = [candidates.of_read(each, self._case) for each in reads]
            given = [each for each in given if each.arrival is not None and each.arrival.how != "part"]
            if given:
                best = max(given, key=lambda each: each.weight)
                one = len({id(each.read.thing) for each in given}) == 1
                told = self._told(best, None, sure=True) if one else None
                return self._with_sides(told) if told is not None else None
        return None

    def _compared(self) -> RefusedObject | None:
        return self._conditions.compared(self._read, self._every)

    def _among_operands(self) -> RefusedObject | None:
        """All that the user's line handed over, where the library's code does not tell which of it was refused."""
        if self._unsaid() or self._stack.raised.module.partition(".")[0] not in self._case.libraries:
            return None
        return operations.of_operands(self._case, self._read.check(self._stack))

    def _bare(self) -> RefusedObject | None:
        return None if self._unsaid() else self._conditions.bare(self._read)

    def _unsaid(self) -> bool:
        """Return whether something that the condition needs was not there: then its bare values say nothing."""
        return self._read.lacking and not self._best

    def _with_sides(self, told: RefusedObject) -> RefusedObject:
        found = self._conditions.check(self._read, self._every)
        check = msgspec.structs.replace(told.check, relation=found.relation, sides=found.sides)
        return msgspec.structs.replace(told, check=check)

    def _is_given(self, told: RefusedObject) -> bool:
        """Whether the call was given this object, and is not a method of it: not `model` in `model.fit(x)`."""
        text = told.thing.text
        if text and not told.check.requires and told.call.startswith(f"{text}."):
            return False
        if told.check.requires or told.how != "operand" or not text:
            return True
        node = reading.node_at(told.used, self._case.sources)  # without columns, a call somewhere in the statement
        if isinstance(node, ast.Call) and ast.unparse(node.func) == told.call:
            return text in "".join(ast.unparse(each) for each in (*node.args, *node.keywords))
        return text in self._case.sources.expression(told.used)

    def _told(self, best: Candidate, rule: FrameRule | None, sure: bool) -> RefusedObject | None:
        own = self._stack.own
        assert own is not None and own.location is not None
        thing = self._case.thing(best.read.thing, best.described, best.arrival)
        held = best.arrival.held if best.arrival is not None else None
        if held is not None and (original := self._case.describe(held)) is not None:
            thing = self._case.thing(held, original, best.arrival)
        fact = RefusedObject(
            thing=thing,
            used=best.arrival.used if best.arrival is not None else own.location,
            call=best.arrival.call if best.arrival is not None else self._case.called(own),
            how=best.arrival.how if best.arrival is not None else "parked",
            check=self._read.check(self._stack, requires=rule.requires if rule is not None else ""),
            advice=rule.advice if rule is not None else advice(best.described, thing.text),
            holder=best.arrival.text if best.arrival is not None and best.arrival.how != "operand" else "",
            sure=sure,
            marks=self._settled(rule),
        )
        if fact.how != "parked":
            return fact
        kept = parked.find(
            (*thing.calls, *((thing.made,) if thing.made else ())), self._stack, self._case.user, self._case.sources
        )
        if kept is None:
            made = best.read.direct and best.described is not None and best.described.made is not None
            return fact if rule is not None or made else None
        return msgspec.structs.replace(
            fact, parked=kept.at, holder=kept.call, thing=msgspec.structs.replace(thing, text=kept.text)
        )

    def _settled(self, rule: FrameRule | None) -> tuple[Marked, ...]:
        """The earlier call that settled what an object on the stack goes by."""
        holders = (each.local("self") for each in self._stack.frames) if rule is not None and rule.settled else ()
        found = next((each for held in holders if held is not None and (each := self._case.settings(held))), None)
        return (Marked.at(found.at, rule.settled, "settled"),) if found is not None and rule is not None else ()

    def _placed(self, rule: FrameRule) -> RefusedObject | None:
        """A call that is refused for where it stands, not for what it was given."""
        own = self._stack.own
        if not rule.requires or own is None or own.location is None:
            return None
        return RefusedObject(
            thing=Thing(what="call", text=self._case.sources.expression(own.location)),
            used=own.location,
            call=self._case.method_called(own, self._at) or self._case.called(own),
            how="operand",
            check=Check(
                by=self._stack.frames[self._at].qualified, condition=self._read.condition, requires=rule.requires
            ),
            advice=rule.advice,
            parked=self._case.around(rule, self._at),
        )


_NO_OBJECT = (
    _Refusal._word,
    _Refusal._left_out,
    _Refusal._further_out,
    _Refusal._compared,
    _Refusal._among_operands,
    _Refusal._bare,
)
_OBJECT = (
    _Refusal._object,
    _Refusal._left_out,
    _Refusal._compared,
    _Refusal._among_operands,
    _Refusal._bare,
)
"""In this order, the first step that knows has the answer."""
