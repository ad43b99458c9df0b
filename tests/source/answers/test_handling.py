"""Whether a program handles a None in what it hands its gradients to: a mapped function, an object that is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.source.answers.handling import handles_none
from tensorwhy.source.files import Sources

HELPERS = """\
def or_zero(gradient, variable):
    return zeros(variable) if gradient is None else gradient

def clipped(gradient, variable):
    return clip(gradient)

class Cleaner:
    def __call__(self, pairs):
        return [pair for pair in pairs if pair[0] is not None]

class Scaler:
    def __call__(self, pairs):
        return [(2 * gradient, variable) for gradient, variable in pairs]

optimizer, clean = Optimizer(), Cleaner()
scale = Scaler()
"""


def handled(folder: Path, statement: str) -> bool:
    file = folder / "program.py"
    file.write_text(f"{HELPERS}found = tape.gradient(loss, variables)\n{statement}\n")
    asked = Location(file=str(file), line=len(HELPERS.splitlines()) + 1)
    question = GradientQuestion(event=1, recorder=1, asked=1, targets=(), sources=(), location=asked)
    return handles_none(Sources(), question)


@pytest.mark.parametrize(
    "statement",
    [
        "kept = map(or_zero, found, variables)",
        "kept = clean(zip(found, variables))",
        "for each in clean(found): use(each)",
    ],
)
def test_a_none_is_handled_by_the_function_or_object_that_gets_the_gradients(tmp_path: Path, statement: str) -> None:
    assert handled(tmp_path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        "kept = map(clipped, found, variables)",
        "kept = scale(zip(found, variables))",
        "kept = map(or_zero, variables, found)",
    ],
)
def test_a_none_is_not_handled_by_helpers_that_look_at_no_gradient(tmp_path: Path, statement: str) -> None:
    assert not handled(tmp_path, statement)


LISTED = "lost = [v for g, v in zip(found, variables) if g is None]"


@pytest.mark.parametrize(
    "statement",
    [
        f"{LISTED}\nassert not lost, lost",
        f"{LISTED}\nassert len(lost) == 0",
        f"{LISTED}\nif lost:\n    raise ValueError(lost)",
        "if lost := [g for g in found if g is None]:\n    raise ValueError(lost)",
        "lost = []\nfor g, v in zip(found, variables):\n    if g is None:\n        lost.append(v)\nassert not lost",
    ],
)
def test_a_program_that_fails_where_it_finds_a_none_does_not_handle_it(tmp_path: Path, statement: str) -> None:
    assert not handled(tmp_path, statement)


@pytest.mark.parametrize(
    "statement",
    [
        f"{LISTED}\nkept = [g for g in found if g is not None]\nassert not lost",
        f"{LISTED}\nassert kept",
        "kept = [g for g in found if g is not None]\nassert kept",
        "for g in found:\n    if g is None:\n        continue\n    kept.append(g)\nassert kept",
    ],
)
def test_a_none_that_is_left_out_is_handled_whatever_is_asserted(tmp_path: Path, statement: str) -> None:
    assert handled(tmp_path, statement)


def answered(folder: Path, program: str, position: int = 1, asked: int = 2) -> bool:
    """The answer of the first `tape.gradient` of a program, with a None at this position."""
    file = folder / f"program_{len(list(folder.iterdir()))}.py"
    file.write_text(program)
    lines = program.splitlines()
    line = next(number for number, text in enumerate(lines, start=1) if "tape.gradient" in text)
    callers = [number for number, text in enumerate(lines, start=1) if "slopes()" in text and "def" not in text]
    inside = "slopes" if callers else "<module>"
    question = GradientQuestion(
        event=1,
        recorder=1,
        asked=asked,
        targets=(),
        sources=(Source(tensor=1, variable=True, trainable=True, name="w", dtype="float32", position=position),),
        location=Location(file=str(file), line=line, function=inside),
        callers=tuple(Location(file=str(file), line=number, function="<module>") for number in callers),
    )
    return handles_none(Sources(), question)


def test_a_none_that_is_unpacked_into_an_underscore_is_handled(tmp_path: Path) -> None:
    assert answered(tmp_path, "g, _ = tape.gradient(loss, [w, v])\nuse(g)\n")
    assert answered(tmp_path, "def slopes():\n    return tape.gradient(loss, [w, v])\ng, _unused = slopes()\n")
    assert not answered(tmp_path, "g, _ = tape.gradient(loss, [w, v])\nuse(g)\n", position=0)
    assert not answered(tmp_path, "g, h = tape.gradient(loss, [w, v])\nuse(g)\n")


def test_a_none_is_handled_by_a_line_of_which_no_columns_are_known(tmp_path: Path) -> None:
    program = "def slopes():\n    return tape.gradient(loss, [w, v])\n"
    assert answered(tmp_path, f"{program}kept = [zeros(v) if g is None else g for g, v in zip(slopes(), [w, v])]\n")
    assert not answered(tmp_path, f"{program}kept = [norm(v) + g for g, v in zip(slopes(), [w, v])]\n")


def test_a_function_that_says_whether_there_is_a_gradient_handles_a_none(tmp_path: Path) -> None:
    asks = "def slopes():\n    y = f(x)\n    return tape.gradient(y, x) is not None\nprint(slopes())\n"
    assert answered(tmp_path, asks, position=0, asked=1)
    shows = "def slopes():\n    g = tape.gradient(y, [x, w])\n    return [e is not None for e in g]\nprint(slopes())\n"
    assert not answered(tmp_path, shows)


FOUND = "grads = tape.gradient(loss, [w, v])\n"


@pytest.mark.parametrize(
    "program",
    [
        "_ = tape.gradient(loss, [w, v])\n",
        "g, *_ = tape.gradient(loss, [w, v])\nuse(g)\n",
        "use(tape.gradient(loss, [w, v])[0])\n",
        f"{FOUND}use(grads[0])\nuse(grads[-2])\n",
        "grads = tape.gradient(loss, {'w': v, 'a': w})\nuse(grads['a'])\n",
        f"{FOUND}kept = [g for g in grads if isinstance(g, tf.Tensor)]\n",
        f"{FOUND}kept = [g for g in grads if tf.is_tensor(g)]\n",
        f"{FOUND}kept = [g for g in grads if not isinstance(g, type(None))]\n",
        f"{FOUND}for g in grads:\n    with contextlib.suppress(TypeError):\n        use(g)\n",
        f"{FOUND}flags = [g is not None for g in grads]\nassert flags == [True, False]\n",
        f"{FOUND}assert [g is None for g in grads] == [False, True]\n",
        f"{FOUND}use(grads[0] or 0.0, grads[1] or 0.0)\n",
        "flags.append(tape.gradient(loss, v) is not None)\n",
    ],
)
def test_a_none_is_handled(tmp_path: Path, program: str) -> None:
    assert answered(tmp_path, program)


@pytest.mark.parametrize(
    "program",
    [
        f"{FOUND}use(grads[1])\n",
        f"{FOUND}use(grads[0])\nuse(grads)\n",
        f"{FOUND}use(grads[index])\n",
        "grads = tape.gradient(loss, {'w': v, 'a': w})\nuse(grads['w'])\n",
        f"{FOUND}dense = [convert(g) if isinstance(g, tf.IndexedSlices) else g for g in grads]\n",
        f"{FOUND}assert [g is not None for g in grads] == [True, True]\n",
        "print(tape.gradient(loss, v) is None)\n",
        "assert tape.gradient(loss, v) is not None\n",
        "if tape.gradient(loss, v) is None:\n    raise ValueError\n",
    ],
)
def test_a_none_is_not_handled(tmp_path: Path, program: str) -> None:
    assert not answered(tmp_path, program)
