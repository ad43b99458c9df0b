"""Which conditions are held to have kept gradients from being applied, read from source alone."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tensorwhy.lineage import withheld
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources


def _condition(folder: Path, asked: str, **files: str) -> str | None:
    """The test that is found, where everything ran but the lines marked `# idle`; `asked` is in the line that asks."""
    places, executed = {}, []
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.write_text(textwrap.dedent(text))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            place = Location(file=str(path), line=number, column=len(line) - len(line.lstrip()))
            places[line.strip()] = place
            if line.strip() and not line.endswith("# idle"):
                executed.append(place)
    line = next(place for text, place in places.items() if asked in text)
    callers = [place for text, place in places.items() if "slopes(given)" in text]
    sources = Sources()
    found = withheld.condition(sources, [line, *callers], executed)
    return None if found is None else sources.expression(found)


_COUNTED = """
    def train(x):
        g = tape.gradient(loss, variables)
        state["seen"] += 1
        if state["seen"] % 4 == 0:
            optimizer.apply_gradients(zip(g, variables))  # idle
        return loss
"""


def test_a_count_in_a_container_is_found(tmp_path: Path) -> None:
    assert _condition(tmp_path, "tape.gradient", main=_COUNTED) == 'state["seen"] % 4 == 0'


def test_the_condition_may_stand_in_the_caller_of_the_code_that_asks(tmp_path: Path) -> None:
    source = """
        def slopes(x):
            return tape.gradient(loss, variables)

        def train(self, x):
            g = slopes(given)
            self.turn = self.turn + 1
            if self.turn > 3:
                self.optimizer.apply_gradients(zip(g, variables))  # idle
    """
    assert _condition(tmp_path, "tape.gradient", main=source) == "self.turn > 3"


def test_an_update_behind_an_early_return_is_found(tmp_path: Path) -> None:
    source = """
        def train(x):
            global step
            g = tape.gradient(loss, variables)
            step += 1
            early = step % 2
            if early:
                return loss
            optimizer.apply_gradients(zip(g, variables))  # idle
    """
    assert _condition(tmp_path, "tape.gradient", main=source) == "early"


def test_the_update_may_be_hidden_in_another_file(tmp_path: Path) -> None:
    main = _COUNTED.replace("optimizer.apply_gradients(zip(g, variables))", "sums.release()")
    updates = """
        class Sums:
            def release(self):
                self._optimizer.apply_gradients(zip(self._sums, self._variables))  # idle

            def add(self, g):
                self._sums[0].assign_add(g)
    """
    assert _condition(tmp_path, "tape.gradient", main=main, updates=updates) == 'state["seen"] % 4 == 0'


@pytest.mark.parametrize(
    ("parameter", "test"), [("train=False", "train"), ("training", "not training"), ("mode", "mode == 'fit'")]
)
def test_a_flag_that_is_passed_as_an_argument_is_no_such_condition(tmp_path: Path, parameter: str, test: str) -> None:
    source = f"""
        def evaluate(x, {parameter}):
            g = tape.gradient(loss, variables)
            count += 1
            if {test}:
                optimizer.apply_gradients(zip(g, variables))  # idle
            return norm(g)
    """
    assert _condition(tmp_path, "tape.gradient", main=source) is None


def test_a_branch_that_applies_nothing_is_no_such_condition(tmp_path: Path) -> None:
    source = _COUNTED.replace("optimizer.apply_gradients(zip(g, variables))", "print(g)")
    assert _condition(tmp_path, "tape.gradient", main=source) is None


def test_a_branch_that_ran_is_no_such_condition(tmp_path: Path) -> None:
    assert _condition(tmp_path, "tape.gradient", main=_COUNTED.replace("  # idle", "")) is None


def test_a_setting_that_nothing_counts_is_no_such_condition(tmp_path: Path) -> None:
    source = """
        def train(x):
            g = tape.gradient(loss, variables)
            if config.enabled:
                optimizer.apply_gradients(zip(g, variables))  # idle
            return loss
    """
    assert _condition(tmp_path, "tape.gradient", main=source) is None
