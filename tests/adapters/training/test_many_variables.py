"""Of thousands of variables each step looks at some, in turn: no step is held up, and in the end all were seen."""

from __future__ import annotations

import pytest

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters import turns, variable_values  # noqa: E402
from tensorwhy.adapters.tensorflow.ledger.filled import groups  # noqa: E402
from tensorwhy.adapters.tensorflow.variables.updates import due, until_due  # noqa: E402


@pytest.mark.parametrize("of", [0, 1, 4, 5, 11, 40])
def test_every_value_has_its_turn_once_in_each_look(of: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST", 4)
    calls = turns.parts(of)
    for number in (1, 2, 7):
        looks = [turns.turn((number - 1) * calls + call, of) for call in range(1, calls + 1)]
        assert {found for found, _ in looks} == {number}
        assert sorted(at for _, share in looks for at in share) == list(range(of))
        assert all(len(share) <= 4 for _, share in looks)


@pytest.mark.parametrize("parts", [1, 2, 3, 20])
def test_calls_that_are_only_counted_are_never_due(parts: int) -> None:
    for step in range(500):
        free = until_due(step, parts)
        assert not any(due(n) or due((n - 1) // parts + 1) for n in range(step + 1, step + free + 1))
        after = step + free + 1
        assert due(after) or due((after - 1) // parts + 1)


def trained(session, steps: int, traced: bool, slope: float = 0.0) -> list[tf.Variable]:
    variables = [tf.Variable([1.0, 2.0], name=f"v{number}") for number in range(10)]
    optimizer = tf.keras.optimizers.SGD(0.1)

    def step(x):
        with tf.GradientTape() as tape:
            scales = [slope if number == 7 else 1.0 for number in range(10)]
            loss = tf.add_n([tf.reduce_sum(tf.sin(v) * s * x) for v, s in zip(variables, scales)])
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    step = tf.function(step) if traced else step
    for _ in range(steps):
        step(tf.constant(1.0))
    return variables


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Four values have their turn in a step. How many variables were read in each step, as the steps were told."""
    monkeypatch.setattr(turns, "MOST", 4)
    read: list[int] = []
    original = variable_values.value

    def value(*given):
        read.append(1)
        return original(*given)

    monkeypatch.setattr(variable_values, "value", value)
    return read


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_no_step_looks_at_more_than_its_share(session, few: list[int], traced: bool) -> None:
    assert trained(session, 40, traced)
    assert 40 < len(few) <= 40 * 4


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_a_variable_that_stands_still_is_found_among_many(session, few: list[int], traced: bool) -> None:
    kept = trained(session, 40, traced)
    watched = session.tapes.updates.watched
    moved = [watched[each.handle._id].ever_changed() for each in kept]
    assert moved == [number != 7 for number in range(10)]


def test_zeros_are_found_among_many(session, few: list[int]) -> None:
    session.keep_for_experiments()
    kept = trained(session, 40, traced=False)
    zeros = session.tapes.zeros.questions
    assert [[source.tensor for source in each.question.sources] for each in zeros] == [[kept[7].handle._id]]


def test_nothing_is_said_of_many_that_learn(session, few: list[int]) -> None:
    session.keep_for_experiments()
    kept = trained(session, 40, traced=False, slope=1.0)
    assert not session.tapes.zeros.questions
    assert not [site for site in session.tapes.signals.sites.values() if site.bad or site.question]
    assert list(groups(session)) == [] and kept


def test_a_variable_whose_turn_never_came_is_not_said_to_have_a_gradient(session, few: list[int]) -> None:
    kept = trained(session, 2, traced=False)
    place = session.tapes.updates.asks[0].place
    seen = session.tapes.zeros.ever_other(place) | session.tapes.zeros.ever_zero(place)
    assert len(seen) == 8 - 1 and not session.tapes.zeros.always_zero(place) - seen and kept
