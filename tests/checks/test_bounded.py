"""No file is looked at for long, whatever is in it, and what is left out of it is told."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from support.runner import environment
from tensorwhy import reasons
from tensorwhy.diagnosis import engine, reason
from tensorwhy.model.report import Fix, Report
from tensorwhy.pipeline import checking
from tensorwhy.pipeline.budget import Spent, limited
from tensorwhy.pipeline.checking import check

TENSORFLOW = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\n"
TAPE = "with tf.GradientTape() as t:\n"


def read(text: str) -> Report:
    return check(["/work/model.py"], "model.py", read=lambda _: text.encode())


def chain(line: str, count: int, indent: str = "") -> str:
    return "".join(f"{indent}{line.format(now=f'x{at}', before=f'x{at - 1}')}\n" for at in range(1, count + 1))


CHAINS: dict[str, Callable[[int], str]] = {
    "residual": lambda n: (
        f"x0 = tf.constant(1.0)\nw = tf.Variable(1.0)\n{TAPE}"
        f"{chain('{now} = {before} + tf.nn.relu({before} * w)', n, '    ')}    y = tf.reduce_sum(x{n})\n"
        "t.gradient(y, x0)\n"
    ),
    "before the tape": lambda n: (
        f"x0 = tf.constant(1.0)\n{chain('{now} = {before} * {before}', n)}{TAPE}    y = x{n} * 2\nt.gradient(y, x0)\n"
    ),
    "through NumPy": lambda n: (
        f"v = tf.Variable(1.0)\nx0 = v.numpy()\n{TAPE}{chain('{now} = np.add({before}, {before})', n, '    ')}"
        f"    y = tf.convert_to_tensor(x{n})\nt.gradient(y, v)\n"
    ),
    "without gradient": lambda n: (
        f"v = tf.Variable(1.0)\n{TAPE}    x0 = tf.floor(v)\n"
        f"{chain('{now} = {before} // {before}', n, '    ')}t.gradient(x{n}, v)\n"
    ),
    "layers": lambda n: (
        f"x0 = keras.Input((3,))\n{chain('{now} = keras.layers.add([{before}, {before}])', n)}x{n}.numpy()\n"
    ),
    "traced": lambda n: (
        "@tf.function\ndef f(v):\n    x0 = v[0]\n"
        f"{chain('{now} = {before} + {before}', n, '    ')}    return x{n}.numpy()\n"
    ),
    "asked for": lambda n: (
        f"v = tf.Variable(1.0)\nx0 = v.value\n{TAPE}    y = tf.floor(v)\n"
        f"{chain('{now} = [{before}, {before}]', n)}t.gradient(y, x{n})\n"
    ),
}


@pytest.mark.parametrize("name", CHAINS)
def test_what_every_line_reads_twice_is_followed_once(name: str) -> None:
    report = read(TENSORFLOW + CHAINS[name](40))
    assert not [line for line in report.coverage.unobserved if "left out" in line]


def test_the_breaks_of_a_long_chain_are_found() -> None:
    report = read(TENSORFLOW + CHAINS["residual"](40))
    assert [each.code for each in report.diagnoses] == [
        each.code for each in read(TENSORFLOW + CHAINS["residual"](3)).diagnoses
    ]


def test_what_takes_too_long_to_explain_is_counted() -> None:
    asked = "v = tf.constant(1.0)\nwith tf.GradientTape(persistent=True) as t:\n    y = v * v\n"
    report = read(TENSORFLOW + asked + "print(t.gradient(y, v))\n" * 5000)
    (line,) = report.coverage.unobserved
    assert "of 5,000 findings were skipped" in line
    assert len(report.diagnoses) < 5000


def test_every_finding_has_a_name_of_its_own() -> None:
    functions = "".join(
        f"def f{at}(v):\n    {TAPE}        y = v * v\n    t.gradient(y, v)\n    t.gradient(y, v)\n" for at in range(120)
    )
    report = read(TENSORFLOW + functions)
    assert len({each.id for each in report.diagnoses}) == len(report.diagnoses) > 1


def test_a_file_that_is_too_large_is_told() -> None:
    report = read("import tensorflow\n" + "x = 1\n" * 400_000)
    assert report.coverage.unread[0].reason == "larger than 1 MB"


@pytest.mark.parametrize("deep", ["not " * 20_000 + "1", "-" * 20_000 + "1", "v" + ".a" * 20_000, "v" + "+v" * 20_000])
def test_a_file_that_is_nested_too_deeply_is_told(deep: str) -> None:
    text = f"{TENSORFLOW}v = 1\nx = {deep}\n"
    try:
        ast.parse(text)
    except (MemoryError, RecursionError):
        refused = ["its code is nested too deeply for Python to parse, so nothing in it was checked"]
    else:
        refused = []  # how deep is too deep depends on the Python
    assert [each.reason for each in read(text).coverage.unread] == refused


def test_a_finding_is_told_where_writing_its_fix_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(finding: Any, lost: dict[str, None], edits: bool) -> tuple[Fix, ...]:
        while edits:
            pass
        return written(finding, lost, edits)

    written = engine._fixes
    monkeypatch.setattr(engine, "_fixes", slowly)
    monkeypatch.setattr(checking, "_SECONDS", 0.2)
    report = read(f"{TENSORFLOW}v = tf.Variable(1.0)\n{TAPE}    y = tf.round(v)\nt.gradient(y, v)\n")
    assert [each.code for each in report.diagnoses] == ["TW106"]
    assert report.coverage.unobserved == ("/work/model.py: no fixes were written: that takes too long",)


def test_work_without_an_end_is_ended() -> None:
    with pytest.raises(Spent), limited(0.1):
        while True:
            pass


def test_each_thread_has_its_own_clock() -> None:
    ended = []

    def work() -> None:
        try:
            with limited(0.1):
                while True:
                    pass
        except Spent:
            ended.append(True)

    thread = threading.Thread(target=work)
    with limited(5.0):
        thread.start()
        thread.join(60)
    assert ended == [True]


def test_a_tracer_works_after_a_block_that_kept_its_time_and_after_one_that_did_not() -> None:
    program = (
        "import contextlib, sys\nfrom tensorwhy.pipeline.budget import Spent, limited\n"
        "def traced():\n    number = 3\n    return number\n"
        "with limited(100):\n    pass\n"
        "with contextlib.suppress(Spent), limited(0):\n    while True: pass\n"
        "sys.settrace(lambda frame, event, argument: sys.gettrace())\n"
        "assert traced() == 3\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60, env=environment())


def test_what_is_loaded_once_is_not_the_time_of_the_first_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly() -> tuple[reason.Reason, ...]:
        until = time.thread_time() + 0.6
        while time.thread_time() < until:
            pass
        return loaded

    loaded = reasons.catalogue()
    monkeypatch.setattr(reasons, "catalogue", functools.cache(slowly))
    monkeypatch.setattr(checking, "_SECONDS", 0.4)
    text = f"{TENSORFLOW}v = tf.Variable(1.0)\n{TAPE}    y = v * v\nt.gradient(y, v)\nt.gradient(y, v)\n"
    assert [each.code for each in read(text).diagnoses] == ["TW120"]
