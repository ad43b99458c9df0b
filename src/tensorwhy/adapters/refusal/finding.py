"""From a live failure to the one fact about what was refused; nothing where no object of the program was."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.refusal import (
    anatomy,
    arguments,
    chain,
    comparing,
    handed,
    inside,
    kept,
    kernels,
    lacking,
    native,
    operations,
    outward,
    parked,
    rebinding,
    telling,
    values,
    way,
    words,
)
from tensorwhy.adapters.refusal.anatomy import Anatomy, Read
from tensorwhy.adapters.refusal.candidates import Candidate
from tensorwhy.adapters.refusal.comparing import Conditions
from tensorwhy.adapters.refusal.described import Described, FrameRule, Settings, Vocabulary, array
from tensorwhy.adapters.refusal.values import MISSING
from tensorwhy.adapters.refusal.way import Arrival
from tensorwhy.adapters.stack import Stack, UserFrame
from tensorwhy.model.facts.refusal import RefusedObject, Thing
from tensorwhy.recording.locations import UserCode, is_hook
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_TESTING = frozenset(("_pytest", "unittest", "testing", "_testing", "test_util"))
"""Parts of the names of modules whose exceptions are verdicts: what a test compares is no argument that was refused."""
_BELOW = (ValueError, TypeError, IndexError, RuntimeError)


def find(live: LiveFailure, vocabularies: Sequence[Vocabulary]) -> RefusedObject | None:
    """What a library refused. The program's own `raise`, and the verdict of a test, say themselves what is wrong."""
    stack = chain.root(live)
    found = _Finder(live, stack, vocabularies).whole() if stack is not None and not _is_verdict(stack) else None
    for outer in live.whole() if found is None else ():
        # What failed first was below Python; a library that answered it with its own exception may have checked more.
        if (
            stack is not None
            and outer.exception is not stack.exception
            and outer.own
            and not outer.raised.user
            and not _is_verdict(outer)
        ):
            found = found or _Finder(live, outer, vocabularies).condition()
    if found is None or (found.how == "condition" and found.sides and found.within is None):
        settings = (_Finder(live, each, vocabularies).kept(found) for each in live.whole())
        return next((each for each in settings if each is not None), found)
    return found


def _is_verdict(stack: Stack) -> bool:
    return not _TESTING.isdisjoint(stack.raised.module.split("."))


class _Finder:
    def __init__(self, live: LiveFailure, stack: Stack, vocabularies: Sequence[Vocabulary]) -> None:
        self._live, self._stack, self._vocabularies = live, stack, vocabularies
        self._user: UserCode = live.user
        self._sources = Sources()
        self._telling = telling.Telling(stack, self._describe, self._sources, live.user)

    @property
    def _conditions(self) -> Conditions:
        return Conditions(self._stack, self._sources, self._telling, self._describe)

    def whole(self) -> RefusedObject | None:
        """What was refused, and what failed before in the program's own code."""
        stack = self._stack
        asked = (each.elsewhere for each in self._vocabularies if each.elsewhere is not None)
        found = next((fact for elsewhere in asked if (fact := elsewhere(self._live, self._user)) is not None), None)
        if found is not None:
            own = stack.own
            return (
                found if found.call or own is None else msgspec.structs.replace(found, call=self._telling.called(own))
            )
        return chain.behind(self.fact(), self._live, stack, self._telling, self._sources)

    def fact(self) -> RefusedObject | None:
        below, tried = self._native()
        if below or not self._stack.frames:
            return self._rebound(tried)
        fact = self._read()
        if fact is None or not fact.sides or tried is None:
            return self._rebound(tried or fact)
        if tried.thing.text != fact.thing.text:
            return self._rebound(fact)
        return self._rebound(msgspec.structs.replace(fact, takes=tried.takes, advice=fact.advice or tried.advice))

    def condition(self) -> RefusedObject | None:
        """Only what was checked, and the object of the program's in which it was."""
        return self._within(self._conditions.bare(anatomy.of(self._stack, self._sources, self._user)))

    def kept(self, about: RefusedObject | None) -> RefusedObject | None:
        """What an earlier call set, and the library worked with."""
        asked = [each.settings for each in self._vocabularies if each.settings is not None]

        def settings(thing: Any) -> Settings | None:
            return next((found for each in asked if (found := each(thing)) is not None), None)

        return kept.find(self._stack, settings, self._telling, self._sources, about)

    def _read(self) -> RefusedObject | None:
        """What the frames tell."""
        if self._stack.raised.module.startswith("tensorwhy."):
            return None
        if any(self._below(vocabulary, each) for vocabulary in self._vocabularies for each in self._raised()):
            rule = self._rule()
            return (self._refused() if rule is not None and rule[1].local else None) or self._kernel()
        below = self._stack.raised.user or self._stack.raised.file.startswith("<")  # NumPy makes functions of its own
        return self._of_python(below) or (None if self._stack.raised.user else self._within(self._refused()))

    def _native(self) -> tuple[bool, RefusedObject | None]:
        """What a library's call could not take by trying it, and whether no Python decided that.

        From here on, the stack is without the frames of our own hooks.
        """
        stack, own = self._stack, self._stack.own
        found = (
            each.native(stack, self._sources, self._user) for each in self._vocabularies if each.native is not None
        )
        first = next((each for each in found if each is not None), None)
        frames = tuple(each for each in stack.frames if not is_hook(each.frame.f_code.co_filename))
        self._stack = Stack(stack.exception, frames)
        if first is None or own is None:
            return False, None
        return first.below, native.told(first, self._stack, self._telling.called(own), self._as_arrived, self._sources)

    def _as_arrived(self, thing: Any, arrival: Arrival | None, text: str) -> Thing:
        return self._telling.thing(thing, self._describe(thing), arrival, text=text)

    def _of_python(self, below: bool) -> RefusedObject | None:
        """What the user's own line does, and Python or a function without a frame refused."""
        own, exception = self._stack.own, self._stack.exception
        if own is None or not (below or isinstance(exception, AttributeError)):
            return None
        found = handed.find(self._stack, self._describe, self._sources, self._is_library)
        if found is not None:
            return found
        found = operations.of_python(own, exception, self._describe, self._telling.as_thing, self._sources)
        if found is not None or not below or not isinstance(exception, _BELOW):
            return found
        node = way.expression(own, self._sources)
        called = values.value(node.func, own.frame) if isinstance(node, ast.Call) else None
        code = getattr(called, "__code__", None)
        if (
            isinstance(node, ast.Raise)
            or handed.is_taken_apart(exception)
            or isinstance(called, type)
            or (code and not code.co_filename.startswith("<"))
        ):
            return None
        return self._operands("", operations.sentence(chain.message(exception)))

    def _describe(self, thing: Any) -> Described | None:
        for vocabulary in self._vocabularies:
            found = vocabulary.describe(thing, self._user)
            if found is not None:
                return found
        return array(thing)

    def _rule(self) -> tuple[int, FrameRule] | None:
        last = self._stack.innermost_user()
        for index in range(len(self._stack.frames) - 1, -1 if last is None else last, -1):
            for vocabulary in self._vocabularies:
                for rule in vocabulary.rules:
                    if rule.fits(self._stack.frames[index]):
                        return index, rule
        return None

    # What a library's own code refused.

    def _refused(self) -> RefusedObject | None:
        found = self._rule()
        if found is None and (own := self._stack.own) is not None:
            called = arguments.find(self._stack, self._telling.called(own), self._describe, self._sources, self._user)
            if called is not None:
                return called
        read = anatomy.of(self._stack, self._sources, self._user)
        candidates: list[Candidate] = []
        if found is not None and found[1].local:
            index, rule = found
            frame = self._stack.frames[index]
            thing = values.value(ast.parse(rule.local, mode="eval").body, frame.frame)
            if thing is not MISSING:
                candidates = [self._candidate(Read(text=rule.local, thing=thing, frame=index, direct=True))]
        if not candidates:
            candidates = [self._candidate(each) for each in self._reads(read)]
        every = candidates
        candidates = [each for each in candidates if each.arrival is not None or each.described is not None]
        named = found is not None and bool(found[1].local)
        candidates = [each for each in candidates if each.weight > 2 and (named or not each.is_own)]
        if found is not None and found[1].place:
            return self._placed(found, read)
        row = found[1] if found is not None else None
        candidates = [each for each in candidates if self._counts(each, row)]
        best = max(candidates, key=lambda each: each.weight, default=None)
        if best is None:
            word = words.defined(read, row, self._stack, self._telling, self._sources, self._user) if row else None
            word = word or words.written(read, self._stack, self._telling, self._sources)
            if word is not None:
                return word
            left_out = self._left_out(read)
            if left_out is not None:
                return left_out
            if read.lacking:
                return self._conditions.compared(read, every)
            return (
                self._further_out(read, every)
                or self._conditions.compared(read, every)
                or self._among_operands(read)
                or self._conditions.bare(read)
            )
        rivals = [each for each in candidates if each.weight == best.weight and each.read.thing is not best.read.thing]
        sure = row is not None or not rivals
        told = self._told(best, read, row, sure=sure)
        vague = told is not None and row is None and (told.how == "part" or (told.how == "parked" and not told.parked))
        compared = self._conditions.compared(read, every) if vague or not sure or told is None else None
        if compared is not None:
            return compared
        if told is not None and (sure or told.how == "parked") and self._is_given(told):
            return msgspec.structs.replace(told, **self._conditions.relation(read, every))
        return (
            self._left_out(read)
            or self._conditions.compared(read, every)
            or self._among_operands(read)
            or self._met_inside(read, [best, *rivals])
            or self._conditions.bare(read)
        )

    def _left_out(self, read: Anatomy) -> RefusedObject | None:
        return lacking.find(read, self._stack, self._describe, self._telling, self._sources, self._user)

    def _met_inside(self, read: Anatomy, candidates: Sequence[Candidate]) -> RefusedObject | None:
        """What does not go together, where all of it was given, or the library made all of it: targets and outputs."""
        own = self._stack.own
        given = all(each.arrival is not None and each.arrival.how == "operand" for each in candidates)
        things = [
            self._telling.thing(each.read.thing, each.described, each.arrival, text="" if given else each.read.text)
            for each in candidates
            if each.described is not None and (given or each.arrival is None)
        ]
        if own is None or own.location is None or not 1 < len(things) == len(candidates) or not (read.known or given):
            return None
        name = telling.name(self._stack.frames[read.frame])
        return RefusedObject(
            thing=things[0],
            others=tuple(things[1:]),
            used=own.location,
            call=name,
            how="operand",
            by=name,
            condition=read.condition,
            known=read.known,
            sure=False,
        )

    def _further_out(self, read: Anatomy, every: Sequence[Candidate]) -> RefusedObject | None:
        """What the user's line gave, of which the library computed what it refused."""
        for reads in outward.reads(read, self._stack, self._sources):
            given = [each for each in map(self._candidate, reads) if each.arrival is not None]
            given = [each for each in given if each.arrival is not None and each.arrival.how != "part"]
            if given:
                best = max(given, key=lambda each: each.weight)
                told = (
                    self._told(best, read, None, sure=True)
                    if len({id(each.read.thing) for each in given}) == 1
                    else None
                )
                return (
                    msgspec.structs.replace(told, **self._conditions.relation(read, every))
                    if told is not None
                    else None
                )
        return None

    def _reads(self, read: Anatomy) -> Iterator[Read]:
        """The objects that were read, and of containers what a framework knows of what is in them."""
        seen: set[int] = set()
        for each in read.reads:
            if id(each.thing) not in seen or values.trivial(each.thing):
                seen.add(id(each.thing))
                yield each
                if isinstance(each.thing, values.CONTAINERS) or values.holds_objects(each.thing):
                    yield from (
                        msgspec.structs.replace(each, thing=inner, direct=each.direct and values.is_weak(each.thing))
                        for inner in values.leaves(each.thing)
                        if id(inner) not in seen and self._describe(inner) is not None
                    )

    def _candidate(self, read: Read) -> Candidate:
        arrival = None
        if not values.trivial(read.thing) or way.passed_down(read.thing, read.text, read.frame, self._stack):
            arrival = way.arrival(read.thing, self._stack, self._sources)
        described = self._describe(read.thing)
        if arrival is None and described is not None and self._is_made_here(described):
            for before in self._behind(read.thing):
                arrival = way.arrival(before, self._stack, self._sources)
                read, described = msgspec.structs.replace(read, thing=before), self._describe(before)
                if arrival is not None:
                    break
        return Candidate(read=read, described=described, arrival=arrival)

    def _is_made_here(self, described: Described) -> bool:
        """Whether the line that failed made it, so that the library did, on the way to its refusal."""
        own = self._stack.own
        at, made = own.location if own is not None else None, described.made
        return at is not None and made is not None and (at.file, at.line) == (made.file, made.line)

    def _behind(self, thing: Any) -> Iterator[Any]:
        """What a library computed it from, on its own, in the line that failed."""
        for vocabulary in self._vocabularies:
            if vocabulary.behind is not None:
                yield from vocabulary.behind(thing, self._user)

    def _rebound(self, fact: RefusedObject | None) -> RefusedObject | None:
        """The fact, with what the refused or called name stood for before."""
        if fact is None:
            return None
        names = rebinding.Names(describe=self._describe, kind=self._kind)
        return msgspec.structs.replace(fact, rebound=rebinding.find(fact, self._stack, names, self._sources))

    def _kind(self, cls: Any) -> str:
        asked = (each.kind for each in self._vocabularies if each.kind is not None)
        return next((found for kind in asked if (found := kind(cls))), "")

    def _is_given(self, told: RefusedObject) -> bool:
        """Whether the call was given this object, and is not a method of it: not `model` in `model.fit(x)`."""
        text = told.thing.text
        if text and not told.requires and told.call.startswith(f"{text}."):
            return False
        if told.requires or told.how != "operand" or not text:
            return True
        node = reading.node_at(told.used, self._sources)  # without columns, a call somewhere in the statement
        if isinstance(node, ast.Call) and ast.unparse(node.func) == told.call:
            return text in "".join(ast.unparse(each) for each in (*node.args, *node.keywords))
        return text in self._sources.expression(told.used)

    def _among_operands(self, read: Anatomy) -> RefusedObject | None:
        """All that the user's line handed over, where the library's code does not tell which of it was refused."""
        if self._stack.raised.module.partition(".")[0] not in self._libraries():
            return None
        found = self._operands(telling.name(self._stack.frames[read.frame]), read.condition)
        return msgspec.structs.replace(found, known=read.known) if found is not None else None

    def _libraries(self) -> set[str]:
        return {each for vocabulary in self._vocabularies for each in vocabulary.libraries}

    def _counts(self, best: Candidate, rule: FrameRule | None) -> bool:
        """Whether it is an object of the program's, rather than some inner value of the library's."""
        if best.arrival is None:
            kept = best.read.direct and best.described is not None and best.described.made is not None
            return best.described is not None and (bool(best.described.calls) or kept or rule is not None)
        if rule is not None:
            return True
        if best.described is None and comparing.is_standard(self._stack.frames[best.read.frame]):
            return False
        if best.arrival.how == "part":
            return best.described is not None and best.read.direct
        return best.read.direct or best.described is not None

    def _told(self, best: Candidate, read: Anatomy, rule: FrameRule | None, sure: bool) -> RefusedObject | None:
        own = self._stack.own
        assert own is not None and own.location is not None
        thing = self._telling.thing(best.read.thing, best.described, best.arrival)
        held = best.arrival.held if best.arrival is not None else None
        if held is not None and (original := self._describe(held)) is not None:
            thing = self._telling.thing(held, original, best.arrival)
        fact = RefusedObject(
            thing=thing,
            used=best.arrival.used if best.arrival is not None else own.location,
            call=best.arrival.call if best.arrival is not None else self._telling.called(own),
            how=best.arrival.how if best.arrival is not None else "parked",
            by=telling.name(self._stack.frames[read.frame]),
            condition=read.condition,
            known=read.known,
            requires=rule.requires if rule is not None else "",
            advice=rule.advice if rule is not None else telling.advice(best.described, thing.text),
            holder=best.arrival.text if best.arrival is not None and best.arrival.how != "operand" else "",
            sure=sure,
        )
        if fact.how != "parked":
            return fact
        kept = parked.find(
            (*thing.calls, *((thing.made,) if thing.made else ())), self._stack, self._user, self._sources
        )
        if kept is None:
            made = best.read.direct and best.described is not None and best.described.made is not None
            return fact if rule is not None or made else None
        return msgspec.structs.replace(
            fact, parked=kept.at, holder=kept.call, thing=msgspec.structs.replace(thing, text=kept.text)
        )

    def _placed(self, found: tuple[int, FrameRule] | None, read: Anatomy) -> RefusedObject | None:
        """A call that is refused for where it stands, not for what it was given."""
        own = self._stack.own
        if found is None or not found[1].requires or own is None or own.location is None:
            return None
        rule = found[1]
        return RefusedObject(
            thing=Thing(what="call", text=self._sources.expression(own.location)),
            used=own.location,
            call=self._telling.method_called(own, found[0]) or self._telling.called(own),
            how="operand",
            by=telling.name(self._stack.frames[found[0]]),
            condition=read.condition,
            requires=rule.requires,
            advice=rule.advice,
            parked=self._telling.around(rule, found[0]),
        )

    # What was refused below Python.

    def _kernel(self) -> RefusedObject | None:
        for vocabulary in self._vocabularies:
            failed = [each for each in self._raised() if self._below(vocabulary, each)]
            if not failed:
                continue
            told = next((text for each in failed if (text := operations.sentence(chain.message(each)))), "")
            read = vocabulary.kernel
            found = read(self._live.exceptions, self._live.joined(), self._user) if read is not None else None
            if found is None:
                bare = None if self._calls_own() else kernels.failed(told, self._stack, self._telling)
                return self._operands("", told) or self._within(bare)
            operands = functools.partial(self._operands, "", told)
            return kernels.of_node(found, told, self._stack, self._sources, operands) or operands()
        return None

    def _within(self, fact: RefusedObject | None) -> RefusedObject | None:
        """The fact, with the object of the program's whose code the library was running."""
        asked = [each.part for each in self._vocabularies if each.part is not None]
        if (fact is not None and (fact.requires or fact.within is not None)) or not asked:
            return fact
        known = fact or self._conditions.bare(anatomy.of(self._stack, self._sources, self._user))
        if known is None:
            return None

        def part(thing: Any) -> Described | None:
            return next((found for each in asked if (found := each(thing, self._user)) is not None), None)

        def is_known(thing: Any) -> bool:
            return self._describe(thing) is not None

        found = inside.of(self._stack, known, part, is_known, self._sources)
        return msgspec.structs.replace(known, within=found) if found is not None else fact

    def _raised(self) -> tuple[BaseException, ...]:
        """The exception as it was raised first, and as the program got it."""
        return self._stack.exception, self._live.exceptions[0]

    def _below(self, vocabulary: Vocabulary, exception: BaseException) -> bool:
        return vocabulary.is_kernel_error is not None and vocabulary.is_kernel_error(exception)

    def _operands(self, by: str, condition: str) -> RefusedObject | None:
        own = self._stack.own
        if own is None:
            return None
        return operations.of_operands(
            own,
            self._telling.written(own),
            self._telling.called(own),
            self._describe,
            self._telling.as_thing,
            by,
            condition,
            plain=self._calls_library(own),
        )

    def _calls_own(self) -> bool:
        """Return whether the line that failed calls a function of the program's: the operation is in there."""
        own = self._stack.own
        node = self._telling.written(own) if own is not None else None
        called = values.value(node.func, own.frame) if own is not None and isinstance(node, ast.Call) else None
        code = getattr(inspect.unwrap(called) if callable(called) else None, "__code__", None)
        return code is not None and self._user.owns(code.co_filename)

    def _is_library(self, call: ast.Call) -> bool:
        """Return whether a call in the user's line runs a function of a library, or a library's method."""
        own, function = self._stack.own, call.func
        owner = (
            values.value(function.value, own.frame) if own is not None and isinstance(function, ast.Attribute) else None
        )
        if isinstance(function, ast.Attribute) and self._describe(owner) is not None:
            called = inspect.getattr_static(type(owner), function.attr, None)
        else:
            called = values.value(function, own.frame) if own is not None else None
        code = getattr(inspect.unwrap(called) if callable(called) else None, "__code__", None)
        return code is not None and not self._user.owns(code.co_filename)

    def _calls_library(self, own: UserFrame) -> bool:
        """Return whether the user's line calls a function by its module: `torch.tensor(rows)`."""
        node = self._telling.written(own)
        root = node.func if isinstance(node, ast.Call) else None
        while isinstance(root, ast.Attribute):
            root = root.value
        held = values.value(root, own.frame)
        return getattr(held, "__name__", "").partition(".")[0] in self._libraries()
