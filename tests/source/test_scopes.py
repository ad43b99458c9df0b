"""Which statement runs before which, and what a name stands for."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tensorwhy.source.scopes import Scope, Step


def _scope(text: str) -> Scope:
    return Scope(ast.parse(textwrap.dedent(text)), None)


def _at(scope: Scope, text: str) -> Step:
    return next(step for step in scope.steps if ast.unparse(step.statement).startswith(text))


def _value(text: str, name: str = "x", at: str = "use(") -> str | None:
    scope = _scope(text)
    binding = scope.binding(name, _at(scope, at))
    return None if binding is None or binding.value is None else ast.unparse(binding.value)


def test_a_statement_of_a_with_runs_before_what_follows_it():
    scope = _scope("with a() as b:\n    one()\ntwo()")
    assert _at(scope, "one").always_before(_at(scope, "two"))


@pytest.mark.parametrize(
    "text",
    [
        "if a:\n    one()\ntwo()",
        "for a in b:\n    one()\ntwo()",
        "if a:\n    one()\nelse:\n    two()",
        "try:\n    one()\nexcept E:\n    pass\ntwo()",
        "two()\none()",
    ],
)
def test_a_statement_that_may_not_run_is_not_always_before(text: str):
    scope = _scope(text)
    assert not _at(scope, "one").always_before(_at(scope, "two"))


def test_the_last_binding_before_is_the_one_that_is_read():
    assert _value("x = 1\nx = 2\nuse(x)\nx = 3") == "2"


def test_names_that_are_unpacked_have_values_of_their_own():
    assert _value("y, (x, z) = 1, (2, 3)\nuse(x)") == "2"


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\nif a:\n    x = 2\nuse(x)",
        "x = 1\nfor a in b:\n    use(x)\n    x = 2",
        "x = 1\ndef f():\n    global x\n    x = 2\nuse(x)",
        "x = 1\n[use(x) for x in y]",
        "x = 1\nif (x := a):\n    use(x)",
        "for x in y:\n    use(x)",
        "use(x)\nx = 1",
        "x = 1\nwith suppress(E):\n    x = f()\nuse(x)",
        "x = 1\nfrom all import *\nuse(x)",
    ],
)
def test_a_name_that_may_stand_for_something_else_is_not_known(text: str):
    beginning = next((each for each in ("[use", "while", "with a", "later") if each in text), "use(")
    assert _value(text, at=beginning) is None


def test_a_star_import_before_a_binding_does_not_matter():
    assert _value("from all import *\nx = 1\nuse(x)") == "1"


def test_a_binding_in_the_same_turn_of_a_loop_is_known():
    assert _value("for a in b:\n    x = 1\n    use(x)\n    x = 2") == "1"


def test_the_target_of_a_loop_is_known_in_its_body():
    scope = _scope("x = 1\nfor x in a:\n    use(x)\n    x = 2")
    binding = scope.binding("x", _at(scope, "use"))
    assert binding is not None and isinstance(binding.made, ast.For)


def test_a_function_reads_the_one_binding_of_the_module():
    module = _scope("x = 1\ndef f():\n    use(x)")
    inner = module.inner[0]
    binding = inner.binding("x", inner.steps[0])
    assert binding is not None and binding.value is not None and ast.unparse(binding.value) == "1"


def test_a_function_does_not_know_a_name_that_the_module_binds_twice():
    module = _scope("x = 1\ndef f():\n    use(x)\nx = 2")
    inner = module.inner[0]
    assert inner.binding("x", inner.steps[0]) is None


@pytest.mark.parametrize(
    "text",
    ["try:\n    one()\nexcept E:\n    pass", "with self.assertRaises(E):\n    one()", "with raises(E):\n    one()"],
)
def test_what_is_expected_to_fail_is_guarded(text: str):
    scope = _scope(text)
    assert _at(scope, "one").guarded


def test_a_try_that_only_cleans_up_guards_nothing():
    scope = _scope("try:\n    one()\nfinally:\n    two()")
    assert not _at(scope, "one").guarded


def test_what_a_function_definition_evaluates_belongs_to_the_scope_around_it():
    scope = _scope("@mark(a)\ndef f(x=one(), *, y=two()):\n    three()\nclass C(base()):\n    z = four()")
    assert [ast.unparse(call.func) for _, call in scope.calls] == ["mark", "one", "two", "base"]


@pytest.mark.parametrize(
    ("inner", "mentioned"),
    [
        ("def f():\n    tape = 1\n    tape", False),
        ("def f(tape):\n    tape", False),
        ("def f():\n    tape", True),
        ("def f():\n    global tape\n    tape = 1", True),
        ("class C:\n    tape = 1\n    def f(self):\n        tape", True),
        ("def f():\n    tape = 1\n    def g():\n        global tape\n        tape", True),
    ],
)
def test_a_function_that_has_a_name_of_its_own_does_not_mention_that_of_the_scope_around_it(
    inner: str, mentioned: bool
):
    assert ("tape" in _scope(inner).mentions) is mentioned
