"""Edits of source text: what they change, what they keep, and when there is none."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.edits import Written, after, line
from tensorwhy.fixes import calls, one_pass, rebinding, tape
from tensorwhy.model.location import Location
from tensorwhy.reasons.tw406_eager_only_in_graph.rule import checked, guards
from tensorwhy.source.files import Sources


def test_a_statement_moves_into_the_block_with_its_comment_and_what_depends_on_it(written: Written) -> None:
    file = written(
        "# features of the batch\n"
        "features = encoder(batch)  # slow\n"
        "rate = 0.1\n"
        "scaled = 2.0 * features\n"
        "with GradientTape() as tape:\n"
        "    loss = head(scaled)\n"
    )
    found = tape.recorded(line(file, 5), Sources(), inside=[(line(file, 2), line(file, 2))])
    assert after(file, found) == (
        "rate = 0.1\n"
        "with GradientTape() as tape:\n"
        "    # features of the batch\n"
        "    features = encoder(batch)  # slow\n"
        "    scaled = 2.0 * features\n"
        "    loss = head(scaled)\n"
    )


def test_what_is_watched_comes_before_what_is_moved(written: Written) -> None:
    file = written("x = make()\ny = f(x)\nwith GradientTape() as t:\n    z = g(y)\n")
    found = tape.recorded(line(file, 3), Sources(), watch=["x"], inside=[(line(file, 2), line(file, 2))])
    assert after(file, found) == "x = make()\nwith GradientTape() as t:\n    t.watch(x)\n    y = f(x)\n    z = g(y)\n"


def test_what_is_watched_stands_before_the_comment_of_the_first_statement(written: Written) -> None:
    file = written("x = make()\nwith GradientTape() as t:\n    # squared\n    y = f(x)\n")
    found = tape.recorded(line(file, 2), Sources(), watch=["x"])
    assert after(file, found) == "x = make()\nwith GradientTape() as t:\n    t.watch(x)\n    # squared\n    y = f(x)\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("x = stop(x)", ""),
        ("x = stop(y)", "x = y\n"),
        ("x = stop(x[0])", "x = x[0]\n"),
        ("x = stop(x); y = 2", "x = x; y = 2\n"),
        ("x: float = stop(x)", ""),
    ],
)
def test_a_call_that_is_left_out_leaves_no_statement_without_effect(
    written: Written, before: str, expected: str
) -> None:
    file = written(f"def f(x, y):\n    z = 1\n    {before}\n    return x\n")
    wanted = f"    {expected}" if expected else ""
    found = after(file, calls.left_out(line(file, 3), Sources(), "stop"))
    assert found == f"def f(x, y):\n    z = 1\n{wanted}    return x\n"


@pytest.mark.parametrize("head", ["with GradientTape() as t:", "with (\n    GradientTape() as t\n):"])
def test_a_block_on_the_line_of_its_head_gets_what_is_watched_there(head: str, written: Written) -> None:
    file = written(f"x = make()\n{head} y = f(x); z = g(y)  # all\n")
    found = tape.recorded(line(file, 2), Sources(), watch=["x"])
    assert after(file, found) == f"x = make()\n{head} t.watch(x); y = f(x); z = g(y)  # all\n"
    assert tape.recorded(line(file, 2), Sources(), inside=[(line(file, 1), line(file, 1))]) == ()


def test_the_lines_of_a_text_keep_their_own_white_space(written: Written) -> None:
    file = written(
        'h = f(x)\ns = f"""of\n  {h}\n"""\nt = ("a"\n     "b", h)\nwith GradientTape() as tape:\n    loss = g(h)\n'
    )
    found = tape.recorded(line(file, 7), Sources(), inside=[(line(file, 1), line(file, 1))])
    assert after(file, found) == (
        "with GradientTape() as tape:\n"
        '    h = f(x)\n    s = f"""of\n  {h}\n"""\n    t = ("a"\n         "b", h)\n    loss = g(h)\n'
    )


def test_a_statement_after_the_block_moves_to_its_end_with_what_it_needs(written: Written) -> None:
    file = written(
        "with GradientTape() as t:\n    y = f(x)\ntarget = labels()\nloss = y - target\ng = t.gradient(loss, x)\n"
    )
    found = tape.recorded(line(file, 1), Sources(), inside=[(line(file, 4), line(file, 4))])
    assert after(file, found) == (
        "with GradientTape() as t:\n    y = f(x)\n    target = labels()\n    loss = y - target\n"
        "g = t.gradient(loss, x)\n"
    )


def test_what_a_loop_uses_moves_from_before_it_into_the_block_that_is_inside(written: Written) -> None:
    file = written(
        "cached = encoder(batch)\nfor _ in range(3):\n    with GradientTape() as t:\n        loss = head(cached)\n"
        "    g = t.gradient(loss, w)\n"
    )
    found = tape.recorded(line(file, 3), Sources(), inside=[(line(file, 1), line(file, 1))])
    assert after(file, found) == (
        "for _ in range(3):\n    with GradientTape() as t:\n"
        "        cached = encoder(batch)\n        loss = head(cached)\n"
        "    g = t.gradient(loss, w)\n"
    )


@pytest.mark.parametrize(
    "loop",
    [
        "for _ in range(3):\n    with GradientTape() as t:\n        state = cell(state)\n",
        "for part in state:\n    with GradientTape() as t:\n        y = f(part)\n",
        "for _ in range(3):\n    with GradientTape() as t:\n        y = f(state)\n    batch = more()\n",
    ],
    ids=["it goes on from one time round to the next", "the loop is over it", "it would be another one the next time"],
)
def test_nothing_moves_into_a_loop_that_would_mean_something_else_there(written: Written, loop: str) -> None:
    file = written(f"state = start(batch)\n{loop}")
    assert tape.recorded(line(file, 3), Sources(), inside=[(line(file, 1), line(file, 1))]) == ()


HELPERS = """\
class Net(Layer):
    def call(self, x):
        return self.dense(x)


def inner(x):
    return x * x


def outer(x):
    y = inner(x)
    return y


net = Net()
"""


@pytest.mark.parametrize(("call", "place"), [("outer(x)", 7), ("helpers.inner(x)", 7), ("net(x)", 3)])
def test_a_call_moves_that_led_to_what_ran_outside(call: str, place: int, written: Written) -> None:
    file = written(f"{HELPERS}y = {call}\nwith GradientTape() as t:\n    z = y + {call}\n")
    found = tape.recorded(line(file, 17), Sources(), inside=[(line(file, place), line(file, place))])
    assert after(file, found) == f"{HELPERS}with GradientTape() as t:\n    y = {call}\n    z = y + {call}\n"


@pytest.mark.parametrize("second", ["w = outer(y)", "w = inner(y)"])
def test_where_two_calls_may_have_led_there_nothing_moves(second: str, written: Written) -> None:
    file = written(f"{HELPERS}y = outer(x)\n{second}\nwith GradientTape() as t:\n    z = g(w)\n")
    assert tape.recorded(line(file, 18), Sources(), inside=[(line(file, 7), line(file, 7))]) == ()


def test_a_call_that_leads_into_another_file_moves(written: Written, tmp_path: Path) -> None:
    file = written("y = helpers.outer(x)\nwith GradientTape() as t:\n    z = g(y)\n")
    (tmp_path / "helpers.py").write_text(HELPERS, encoding="utf-8")
    place = line(str(tmp_path / "helpers.py"), 7)
    found = tape.recorded(line(file, 2), Sources(), inside=[(place, place)])
    assert after(file, found) == "with GradientTape() as t:\n    y = helpers.outer(x)\n    z = g(y)\n"


@pytest.mark.parametrize(
    "text",
    [
        "y = f(x)\nx = other()\nwith GradientTape() as t:\n    z = g(y)\n",
        "y = f(x); k = 1\nx = 2\nwith GradientTape() as t:\n    z = g(y)\n",
        "if x:\n    y = f(x)\n\nwith GradientTape() as t:\n    z = g(y)\n",
    ],
    ids=["read name bound again", "two on a line", "compound"],
)
def test_nothing_is_moved_where_that_could_change_a_meaning(written: Written, text: str) -> None:
    file = written(text)
    opened = 1 + text.split("\n").index("with GradientTape() as t:")
    assert tape.recorded(line(file, opened), Sources(), inside=[(line(file, 1), line(file, 1))]) == ()


def test_a_name_that_is_bound_inside_the_block_is_not_watched_before_it(written: Written) -> None:
    file = written("with GradientTape() as t:\n    x = make()\n    y = f(x)\n")
    assert tape.recorded(line(file, 1), Sources(), watch=["x"]) == ()


def test_a_pause_that_nothing_would_be_left_in_is_gone(written: Written) -> None:
    file = written(
        "with t() as tape:\n    with tape.stop_recording():  # why\n        # h\n        h = f(x)\n    z = g(h)\n"
    )
    found = tape.resumed(line(file, 4), line(file, 4), line(file, 2), Sources())
    assert after(file, found) == "with t() as tape:\n    # h\n    h = f(x)\n    z = g(h)\n"


def test_only_what_the_path_needs_leaves_the_pause(written: Written) -> None:
    file = written("with t.stop_recording():\n    y = f(x)\n    shown = mean(y)\n")
    found = tape.resumed(line(file, 2), line(file, 2), line(file, 1), Sources())
    assert after(file, found) == "y = f(x)\nwith t.stop_recording():\n    shown = mean(y)\n"


def test_a_call_is_found_in_the_range_of_its_statement(written: Written) -> None:
    file = written("error = stop_gradient(\n    y - target\n)\n")
    whole = Location(file=file, line=1, column=0, end_line=3, end_column=1)
    assert after(file, calls.unwrapped(whole, Sources(), "stop_gradient")) == "error = (\n    y - target\n)\n"
    assert calls.unwrapped(whole, Sources(), "") == ()


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("w = w - rate * (g + 1)", "w.assign_sub(rate * (g + 1))"),
        ("w = w + (g)", "w.assign_add((g))"),
        ("w -= g  # step", "w.assign_sub(g)  # step"),
        ("self.w = clip(self.w)", "self.w.assign(clip(self.w))"),
        ("w = é + w - 1", "w.assign(é + w - 1)"),
        ("w = w.assign_sub(g)", "w.assign_sub(g)"),
        ("w = v.assign_sub(g)", "w.assign(v.assign_sub(g))"),
    ],
)
def test_a_variable_is_changed_in_place(written: Written, before: str, expected: str) -> None:
    file = written(before + "\n")
    found = rebinding.in_place(line(file, 1), Sources())
    assert found is not None
    assert after(file, (found,)) == expected + "\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("w = v()\nw = w - g\nw = clip(w)", "w = v()\nw.assign_sub(g)\nw.assign(clip(w))"),
        ("w = w * 2\nw = v()\nw = clip(w)", "w = w * 2\nw = v()\nw.assign(clip(w))"),
        ("u = 2 * w\nw -= g\nw = clip(w)", "u = 2 * w\nw.assign_sub(g)\nw.assign(clip(w))"),
        ("w = w * 2\nu = 1\nw, u = clip(w)", "w = w * 2\nu = 1\nw, u = clip(w)"),
    ],
)
def test_all_steps_that_rebind_a_variable_change_it_in_place(written: Written, before: str, expected: str) -> None:
    file = written(before + "\n")
    assert after(file, rebinding.all_in_place(line(file, 3), Sources())) == expected + "\n"


@pytest.mark.parametrize(
    "text", ["a, w = f(w)", "w: int = f(w)", "w *= 2", "w = f(\n    w)", "w[0] = 1", "w = [f(v) for v in w]"]
)
def test_other_assignments_are_left_alone(written: Written, text: str) -> None:
    assert rebinding.in_place(line(written(text + "\n"), 1), Sources()) is None


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("y = stop(x) * 2", "y = x * 2"),
        ("y = stop(a + b) * 2", "y = (a + b) * 2"),
        ("y = stop(a + b)", "y = a + b"),
        ("y = stop( x[0] )", "y = x[0]"),
    ],
)
def test_a_call_is_replaced_by_its_argument(written: Written, before: str, expected: str) -> None:
    file = written(before + "\n")
    end = before.index(")") + 1
    place = Location(file=file, line=1, column=4, end_line=1, end_column=end)
    assert after(file, calls.unwrapped(place, Sources())) == expected + "\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("t = make()", "t = make(kept=True)"),
        ("t = make(a, b=(1))", "t = make(a, b=(1), kept=True)"),
        ("t = make(kept=False)", "t = make(kept=True)"),
    ],
)
def test_a_call_is_given_a_keyword(written: Written, before: str, expected: str) -> None:
    file = written(before + "\n")
    place = Location(file=file, line=1, column=4, end_line=1, end_column=len(before))
    found = calls.with_keyword(place, "kept", "True", Sources())
    assert found is not None
    assert after(file, (found,)) == expected + "\n"


def test_without_columns_the_only_call_of_its_name_on_the_line_is_meant(written: Written) -> None:
    file = written("y = f(stop(x), g(x))\n")
    assert after(file, calls.unwrapped(line(file, 1), Sources(), "stop")) == "y = f(x, g(x))\n"
    assert calls.unwrapped(line(file, 1), Sources(), "h") == ()


def test_of_several_tapes_in_one_with_the_one_that_is_asked_watches(written: Written) -> None:
    head = "with GradientTape() as g, GradientTape() as d:\n"
    file = written(f"x = make()\n{head}    y = f(x)\nslope = d.gradient(y, x)\n")
    second = Location(file=file, line=2, column=26)
    found = tape.recorded(second, Sources(), watch=["x"])
    assert after(file, found) == f"x = make()\n{head}    d.watch(x)\n    y = f(x)\nslope = d.gradient(y, x)\n"
    assert tape.recorded(line(file, 2), Sources(), watch=["x"]) == ()


@pytest.mark.parametrize(
    ("guard", "check"),
    [
        ("if a >= b:\n    raise ValueError('empty')", "tf.debugging.assert_less(a, b, message='empty')"),
        ("if a != b:\n    raise ValueError(text)", "tf.debugging.assert_equal(a, b)"),
        ("if a > b > c:\n    raise ValueError('x')", ""),
        ("if a > b:\n    c = a\n    raise ValueError('x')", ""),
    ],
)
def test_a_guard_that_raises_becomes_a_check_of_the_graph(guard: str, check: str) -> None:
    statement = ast.parse(guard).body[0]
    assert guards(statement)
    assert checked(statement, "tf") == check


def test_two_models_that_begin_alike_are_called_as_one(written: Written) -> None:
    file = written(
        "part = keras.Model(model.inputs, h)\n"
        "with GradientTape() as tape:\n"
        "    a = part(image, training=False)\n"
        "    tape.watch(a)\n"
        "    b = model(image, training=False)\n"
        "    top = b[:, 0]\n"
    )
    found = one_pass.together(line(file, 3), Sources())
    assert found is not None
    assert after(file, found[1]) == (
        "part = keras.Model(model.inputs, h)\n"
        "with GradientTape() as tape:\n"
        "    a, b = keras.Model(model.inputs, [part.output, model.output])(image, training=False)\n"
        "    tape.watch(a)\n"
        "    top = b[:, 0]\n"
    )


@pytest.mark.parametrize("made", ["keras.Model(other, h)", "make(model.inputs, h)"])
def test_models_that_begin_elsewhere_stay_two(written: Written, made: str) -> None:
    file = written(f"part = {made}\na = part(image)\nb = model(image)\n")
    assert one_pass.together(line(file, 2), Sources()) is None
