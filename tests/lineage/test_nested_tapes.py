"""Whether a gradient was asked for while another tape was recording, so that it can have a gradient itself."""

from __future__ import annotations

import pytest

from support.lineages import lineage_of
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Journal


@pytest.mark.parametrize(("closed", "nested"), [(False, True), (True, False)])
def test_a_gradient_is_differentiated_while_another_tape_is_on_the_stack(closed: bool, nested: bool) -> None:
    journal = Journal()
    journal.add(j.RECORDER_NEW, "outer", -1, (1, 0, 1))
    journal.add(j.RECORDER_NEW, "inner", -1, (2, 0, 1))
    if closed:
        journal.add(j.RECORDER_REMOVE, "outer", -1, (1,))
    at = journal.position
    journal.add(j.GRADIENT, "gradient", -1, ())
    assert lineage_of(journal).timeline.on_another(2, at, journal.event(at).thread) is nested
