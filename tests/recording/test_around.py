"""A method between two hooks behaves as it does without them, whatever these do; compiled and in Python."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from tensorwhy.recording import hot_path
from tensorwhy.recording.around import Running, around, told, within


class Scale:
    """Has a method to put hooks around."""

    def times(self, x: float, *, by: float = 2.0) -> float:
        """A multiple of a number."""
        if by == 0.0:
            raise ZeroDivisionError("by nothing")
        return x * by


@pytest.fixture
def ends(either_hot_path: None) -> list[Any]:
    """What `after` was told."""
    return []


def _hooked(ends: list[Any], before: Callable[..., Any], after: Callable[..., Any] | None = None) -> Any:
    def end(state: Any, error: Any, result: Any) -> None:
        ends.append((state, type(error), result))

    wrapper = around(Scale.times, before, after or end)
    return type("Hooked", (Scale,), {"times": wrapper})()


def test_it_is_called_with_what_the_hook_before_gives(ends: list[Any]) -> None:
    hooked = _hooked(ends, lambda this, x, **named: ((this, x + 1.0), named, "begun"))
    assert hooked.times(1.0, by=3.0) == 6.0
    assert ends == [("begun", type(None), 6.0)]


def test_no_end_is_told_where_nothing_was_begun(ends: list[Any]) -> None:
    assert _hooked(ends, lambda *args, **named: None).times(x=1.0) == 2.0
    assert ends == []


def test_what_it_raises_comes_through_and_is_told(ends: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        _hooked(ends, lambda *args, **named: (args, named, 1)).times(1.0, by=0.0)
    assert ends == [(1, ZeroDivisionError, None)]


def test_a_call_that_does_not_fit_is_refused_in_the_words_of_the_method(ends: list[Any]) -> None:
    with pytest.raises(TypeError, match="times"):
        _hooked(ends, lambda this, x: ((this, x), {}, 1)).times()


def _fails(*args: Any, **named: Any) -> Any:
    raise ValueError("a fault of the hook")


def test_a_hook_that_fails_changes_nothing(ends: list[Any]) -> None:
    assert _hooked(ends, _fails).times(1.0) == 2.0
    assert _hooked(ends, lambda *args, **named: (args, named, 1), _fails).times(1.0) == 2.0


def _interrupted(*args: Any, **named: Any) -> Any:
    raise KeyboardInterrupt


def test_an_interrupt_that_comes_while_a_hook_runs_is_the_programs(ends: list[Any]) -> None:
    with pytest.raises(KeyboardInterrupt):
        _hooked(ends, _interrupted).times(1.0)
    with pytest.raises(KeyboardInterrupt):
        _hooked(ends, lambda *args, **named: (args, named, 1), _interrupted).times(1.0)


def test_it_has_the_name_and_the_words_of_the_method(ends: list[Any]) -> None:
    wrapped = _hooked(ends, lambda *args, **named: None).times
    assert (wrapped.__name__, wrapped.__doc__) == ("times", "A multiple of a number.")


@pytest.mark.skipif(not hot_path.is_compiled(), reason="it was not built, or is not wanted")
def test_the_compiled_ones_stand_in_no_stack() -> None:
    def named() -> list[str]:
        frame, found = sys._getframe(1), []
        while frame is not None:
            found.append(frame.f_code.co_name)
            frame = frame.f_back
        return found

    def method(this: Any) -> list[str]:
        return named()

    here = "test_the_compiled_ones_stand_in_no_stack"
    wrappers = (
        around(method, lambda *args: (args, {}, 1), _ignore),
        told(method, _ignore),
        within(method, Running(), _ignore),
    )
    for wrapper in wrappers:
        assert type("Hooked", (), {"times": wrapper})().times()[:2] == ["method", here]


def _ignore(*args: Any) -> None:
    pass


def _told(after: Callable[..., None]) -> Any:
    return type("Told", (Scale,), {"times": told(Scale.times, after)})()


def test_what_it_gave_is_told_with_what_it_was_given(ends: list[Any]) -> None:
    scale = _told(lambda result, this, *args, **named: ends.append((result, args, named)))
    assert scale.times(1.0, by=3.0) == 3.0
    assert ends == [(3.0, (1.0,), {"by": 3.0})]


def test_of_what_raises_nothing_is_told(ends: list[Any]) -> None:
    with pytest.raises(ZeroDivisionError, match="by nothing"):
        _told(lambda *args, **named: ends.append(args)).times(1.0, by=0.0)
    assert ends == []


def test_who_is_told_may_fail_but_not_keep_an_interrupt(ends: list[Any]) -> None:
    assert _told(_fails).times(1.0) == 2.0
    with pytest.raises(KeyboardInterrupt):
        _told(_interrupted).times(1.0)


def test_of_one_type_nothing_is_told_but_of_those_derived_from_it(ends: list[Any]) -> None:
    class Other(Scale):
        pass

    Scale.told = told(Scale.times, lambda result, *args: ends.append(result), unless=Scale)  # type: ignore[attr-defined]
    assert (Scale().told(1.0), Other().told(2.0)) == (2.0, 4.0)  # type: ignore[attr-defined]
    assert ends == [4.0]


class Nested:
    """Has a method that calls those of others."""

    def __init__(self, *others: Nested) -> None:
        self.others = others

    def call(self, fail: bool = False) -> int:
        """How many there are."""
        if fail and not self.others:
            raise ZeroDivisionError("the innermost")
        return 1 + sum(other.call(fail) for other in self.others)


@pytest.fixture
def nested(either_hot_path: None, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], Running, Callable[..., None]]:
    """What was told, what is running, and what hooks the method with somebody who is told."""
    told_of: list[Any] = []
    inside = Running()

    def note(result: int, this: Nested, *args: Any, **named: Any) -> None:
        told_of.append((result, tuple(inside.running), args, named))

    def hook(after: Callable[..., None] = note) -> None:
        monkeypatch.setattr(Nested, "call", within(Nested.call, inside, after))

    return told_of, inside, hook


def test_within_which_calls_it_was_called_is_known_when_it_is_told_of(nested: Any) -> None:
    told_of, inside, hook = nested
    hook()
    inner = Nested()
    outer = Nested(inner, inner)
    assert outer.call(fail=False) == 3
    assert told_of == [(1, (outer, inner), (False,), {})] * 2 + [(3, (outer,), (), {"fail": False})]
    assert inside.running == []


def test_nothing_is_running_after_an_exception(nested: Any) -> None:
    told_of, inside, hook = nested
    hook()
    with pytest.raises(ZeroDivisionError, match="the innermost"):
        Nested(Nested()).call(fail=True)
    assert (told_of, inside.running) == ([], [])


def test_who_is_told_of_nested_calls_may_fail_but_not_keep_an_interrupt(nested: Any) -> None:
    _, inside, hook = nested
    hook(_fails)
    assert Nested(Nested()).call() == 2
    hook(_interrupted)
    with pytest.raises(KeyboardInterrupt):
        Nested(Nested()).call()
    assert inside.running == []


def test_each_thread_runs_its_own_calls(nested: Any) -> None:
    told_of, _, hook = nested
    hook()
    inner = Nested()

    class Waiting(Nested):
        def call(self, fail: bool = False) -> int:
            thread = threading.Thread(target=inner.call)
            thread.start()
            thread.join()
            return super().call(fail)

    Nested(Waiting()).call()
    assert told_of[0] == (1, (inner,), (), {})


def test_a_call_that_has_nothing_to_be_called_on_is_refused_in_the_words_of_the_method(nested: Any) -> None:
    nested[2]()
    with pytest.raises(TypeError, match="call"):
        Nested.call()  # type: ignore[call-arg]


def test_hooks_can_be_referred_to_weakly(ends: list[Any]) -> None:
    wrapper = told(Scale.times, _ignore)
    reference = weakref.ref(wrapper)
    assert reference() is wrapper
    del wrapper
    assert reference() is None
