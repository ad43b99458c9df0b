"""The compiled function mode and the one in Python write the same, and neither is seen by the program."""

from __future__ import annotations

import gc
import warnings
import weakref
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from tensorwhy.adapters.torch.session import TorchSession  # noqa: E402
from tensorwhy.recording import hot_path  # noqa: E402
from tensorwhy.recording.locations import UserCode  # noqa: E402


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm, self.mixing, self.head = nn.LayerNorm(8), nn.Conv1d(4, 4, 1), nn.Linear(8, 3)

    def forward(self, x: Any) -> Any:
        x = self.norm(x + self.attention(x, x, x, need_weights=False)[0])
        return self.head(torch.relu(self.mixing(x)).mean(1))


def _helper(x: Any, y: Any) -> Any:
    return torch.sin(x) * y


def _program() -> None:
    torch.manual_seed(0)
    net, cell = Net(), nn.LSTMCell(8, 8)
    optimizer = torch.optim.Adam(net.parameters(), 1e-3)
    x, y = torch.randn(5, 4, 8), torch.randint(3, (5,))
    for _ in range(3):
        optimizer.zero_grad()
        out = net(x)
        hidden, state = cell(x[:, 0])
        hidden, state = cell(x[:, 1], (hidden, state))
        parts, top = torch.split(out, 1, dim=1), out.max(dim=1)
        both = torch.cat([_helper(out, 2.0), _helper(out, out)], 0)
        loss = nn.functional.cross_entropy(out, y) + both.pow(2).mean() * 0.1 + parts[0].sum() + top.values.sum()
        x.unsqueeze(0) - x.reshape(5 * 4 * 8)[:1]
        with torch.no_grad():
            net(x).softmax(-1).argmax()
        cut = out.detach().requires_grad_()
        (cut * cut).sum().backward()
        out.contiguous()
        nn.functional.relu(out.clone(), inplace=True)
        nn.functional.dropout(out, 0.0, training=False)
        torch.where(out > 0, out, torch.zeros_like(out))
        out * torch.tensor([1.0, 2.0, 3.0])
        float(loss.detach())
        paired = (out[:, :2].reshape(5, 1, 2) * out[:, :2]).sum()
        torch.nn.Parameter(torch.ones(3)) * out.mean(0)
        torch.add(x, x, out=torch.empty_like(x))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            net.head(x)
        with pytest.raises(RuntimeError):
            torch.ones(2, 2) @ torch.ones(3, 3)
        (loss + paired + hidden.sum()).backward()
        optimizer.step()
        torch.autograd.grad((net.head(x) ** 2).sum(), net.head.weight, create_graph=True)[0].norm()


def _written(session: TorchSession) -> dict[str, Any]:
    """All that is known of the calls, with modules in the order in which they appear."""
    journal, recorder, modules = session.journal, session.recorder, dict[int, int]()
    calls = recorder.calls
    return {
        "rows": [
            (each.index, each.kind, journal.names[each.name], each.thread, journal.chain(each.place), each.inputs,
             each.outputs, each.dtypes)
            for each in journal.events()
        ],
        "calls": [
            (number, str(call._replace(function=getattr(call.function, "__name__", ""), place=0, owner=0)),
             journal.chain(call.place), call.owner and modules.setdefault(call.owner, len(modules) + 1))
            for number, call in calls._calls.items()
        ],
        "makers": dict(calls._makers),
        "alive": set(calls._alive),
        "shapes": {number: tuple(shape) for number, shape in calls.shapes.items()},
        "paired": set(calls.paired),
        "entered": list(calls.entered.values()),
        "requiring": set(recorder.serials._requiring),
        "last": recorder.serials.last,
        "scalars": set(recorder.scalars),
        "rows of nodes": [row for _, row in recorder.sequence],
        "holes": set(recorder.holes),
        "leaves": set(recorder.leaves),
        "failure": recorder.failure,
    }  # fmt: skip


@pytest.mark.skipif(hot_path.mode is None, reason="it was not built")
def test_both_modes_write_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    for pure in ("1", ""):
        monkeypatch.setenv("TENSORWHY_PURE", pure)
        session = TorchSession(UserCode([__file__]), "full")
        session.start()
        try:
            assert ("__torch_function__" in vars(session.recorder._mode)) == (not pure)
            _program()
            written.append(_written(session))
        finally:
            session.close()
    assert len(written[0]["rows"]) > 200 and len(written[0]["paired"]) > 1 and written[0]["failure"] is None
    for key, found in written[0].items():
        assert found == written[1][key], key


@pytest.mark.skipif(hot_path.mode is None, reason="it was not built")
def test_nearly_all_is_written_by_the_compiled_one() -> None:
    session = TorchSession(UserCode([__file__]), "full")
    session.start()
    slow = list[str]()
    write = session.recorder._operation
    session.recorder._operation = lambda kind, *given: (slow.append(kind.name), write(kind, *given))[1]  # type: ignore[method-assign]
    try:
        net, x, y = Net(), torch.randn(5, 4, 8), torch.randint(3, (5,))
        for _ in range(3):
            slow.clear()
            nn.functional.cross_entropy(net(x), y).backward()
    finally:
        session.close()
    assert not slow


@pytest.fixture
def session(either_hot_path: None) -> Any:
    session = TorchSession(UserCode([__file__]), "full")
    session.start()
    yield session
    session.close()
    assert session.recorder.failure is None


def _warn() -> list[tuple[str, int]]:
    """Where each warning says that it comes from: raised by C++, and by Python with one, two and three frames."""
    x = torch.randn(3, 1, requires_grad=True)
    raising = (
        lambda: torch.add(torch.ones(3), torch.ones(3), out=torch.empty(2)),
        lambda: (x * 2).grad,
        lambda: torch.cross(torch.ones(3, 3), torch.ones(3, 3)),
        lambda: nn.functional.mse_loss(torch.ones(2, 3), torch.ones(2, 1)),
        lambda: nn.functional.softmax(torch.ones(2, 3)),
        lambda: nn.Softmax()(torch.ones(2, 3)),
        lambda: nn.functional.kl_div(torch.ones(3), torch.ones(3)),
        lambda: nn.Linear(2, 2).state_dict({}, "prefix."),
    )
    found = list[tuple[str, int]]()
    for function in raising:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            function()
        found += [(each.filename, each.lineno) for each in caught]
    return found


@pytest.mark.parametrize("pure", ["1", ""])
def test_warnings_name_the_lines_that_they_name_in_a_plain_run(pure: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENSORWHY_PURE", pure)
    original = warnings.warn
    _warn()  # some come once in a process
    plain = _warn()
    session = TorchSession(UserCode([__file__]), "full")
    session.start()
    try:
        assert _warn() == plain
    finally:
        session.close()
    assert len(plain) > 4 and __file__ in {file for file, _ in plain}
    assert warnings.warn is original


def test_a_tensor_is_not_kept_alive(session: TorchSession) -> None:
    x = torch.ones(3, requires_grad=True)
    made = (x * 2).sin()
    gone = weakref.ref(made)
    del made
    gc.collect()
    assert gone() is None


def test_what_a_function_raises_comes_through(session: TorchSession) -> None:
    with pytest.raises(RuntimeError, match="shapes"):
        torch.ones(2, 2) @ torch.ones(3, 3)
    with pytest.raises(TypeError):
        torch.sin("x")


def test_no_node_of_the_graph_gets_an_object_of_python(session: TorchSession) -> None:
    value = nn.Parameter(torch.zeros(2)) * 1.0
    for _ in range(3):
        value = torch.special.erfcx(value)  # what no other test here calls
    assert not [each for each in gc.get_objects() if type(each).__name__ == "SpecialErfcxBackward0"]
    assert session.recorder.row(value.grad_fn) == session.recorder.sequence[-1][1]
