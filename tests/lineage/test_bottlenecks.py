"""Uses that nothing leads past, compared with a search for a way around each of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tensorwhy.lineage.bottlenecks import Bottlenecks, Use

Operation = tuple[tuple[int, ...], tuple[int, ...]]
"""The values that go in and those that come out."""


@st.composite
def steps(draw: st.DrawFn) -> list[Operation]:
    """Operations on two given values (0 and 1) and on what earlier operations made."""
    made, found = 2, []
    for _ in range(draw(st.integers(1, 12))):
        inputs = draw(st.lists(st.integers(max(made - 5, 0), made - 1) | st.just(0), min_size=1, max_size=3))
        count = draw(st.sampled_from([1, 1, 1, 2]))
        found.append((tuple(inputs), tuple(range(made, made + count))))
        made += count
    return found


def indexed(operations: list[Operation], closed: set[Use]) -> dict[int, list[Use]]:
    uses: dict[int, list[Use]] = {}
    for at, (inputs, _) in enumerate(operations):
        for position, key in enumerate(inputs):
            if (at, position) not in closed:
                uses.setdefault(key, []).append((at, position))
    return uses


def leads(operations: list[Operation], value: int, targets: set[int], closed: set[Use]) -> bool:
    reached = {value}
    for at, (inputs, outputs) in enumerate(operations):
        if any(key in reached and (at, position) not in closed for position, key in enumerate(inputs)):
            reached.update(outputs)
    return not reached.isdisjoint(targets)


@given(st.data())
def test_nothing_leads_past_them_and_past_all_others_something_does(data: st.DataObject) -> None:
    operations = data.draw(steps())
    every = [(at, position) for at, (inputs, _) in enumerate(operations) for position in range(len(inputs))]
    values = sorted({0, 1, *(key for _, outputs in operations for key in outputs)})
    targets = data.draw(st.sets(st.sampled_from(values[2:]), min_size=1, max_size=2))
    closed = data.draw(st.sets(st.sampled_from(every), max_size=3))
    found = Bottlenecks([outputs for _, outputs in operations], indexed(operations, closed), targets)
    for value in values:
        narrow = list(found.of(value))
        assert narrow == sorted(narrow)
        if not leads(operations, value, targets, closed):
            assert not narrow
            continue
        for use in set(every) - closed:
            assert (use in narrow) == (not leads(operations, value, targets, closed | {use})), (value, use)


def test_a_value_that_each_of_many_operations_uses() -> None:
    operations = [((0, at + 1), (at + 2,)) for at in range(20_000)]
    found = Bottlenecks([outputs for _, outputs in operations], indexed(operations, set()), {20_001})
    assert list(found.of(0)) == []
    assert len(list(found.of(1))) == 20_000
