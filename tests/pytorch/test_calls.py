"""What calls were given, for a step that is executed again."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch

from tensorwhy.adapters.torch.recording.calls import Calls
from tensorwhy.adapters.torch.recording.serials import Serials


def test_a_constant_that_changes_in_place_stays_what_it_was() -> None:
    serials = Serials()
    calls = Calls(serials)
    weight, buffer = torch.ones(2, requires_grad=True), torch.tensor([3.0, 4.0])
    for each in (weight, buffer):
        serials.new(each)
    before = serials.known(buffer)
    made = weight + buffer
    given, named = calls.arguments((weight, buffer), {})
    calls.note(torch.add, "add", given, named, (serials.new(made),), [made], 0)
    calls.changing(buffer)
    buffer.zero_()
    serials.new(buffer)
    sliced = calls.slice((made,), ())
    assert sliced is not None and before is not None
    assert sliced.given[before].tolist() == [3.0, 4.0]
