"""The hooks are tried by the doctor, and have a fallback where they see nothing."""

from __future__ import annotations

import pytest

import tensorwhy

tf = pytest.importorskip("tensorflow")

from tensorwhy.adapters.patches import Patches  # noqa: E402
from tensorwhy.adapters.tensorflow.hooks import entry_points  # noqa: E402
from tensorwhy.adapters.tensorflow.hooks.fast_path import FastPath  # noqa: E402
from tensorwhy.adapters.tensorflow.hooks.functions import Functions  # noqa: E402
from tensorwhy.adapters.tensorflow.selftest import selftest  # noqa: E402


def test_every_hook_works_here() -> None:
    checks = list(selftest())
    assert len(checks) > 10
    assert [check.name for check in checks if not check.works] == []


def test_a_hook_that_sees_nothing_is_named(monkeypatch) -> None:
    monkeypatch.setattr(Functions, "install", lambda self: None)
    failed = [check for check in selftest() if not check.works]
    assert "traced functions" in [check.name for check in failed]
    assert all(check.detail for check in failed)


def test_callbacks_stand_in_for_entry_points_that_see_nothing(monkeypatch) -> None:
    for wrapper in ("wrap", "wrap_execute"):
        monkeypatch.setattr(FastPath, wrapper, lambda self, original: original)
    monkeypatch.setattr(entry_points, "are_seen", lambda: False)
    with tensorwhy.record(show=False) as recording:
        source = tf.constant(3.0)
        doubled = source * 2.0
        with tf.GradientTape() as tape:
            tape.watch(source)
            target = doubled * doubled
        assert tape.gradient(target, source) is None
    assert [diagnosis.code for diagnosis in recording.report.diagnoses] == ["TW102"]
    assert entry_points.LIMITS in recording.report.coverage.unobserved
    assert (tf.constant(1.0) + 1.0).numpy() == 2.0


def test_a_patch_below_another_tool_is_not_put_in_twice() -> None:
    class Module:
        calls = 0

    def seeing(original):
        def wrapper() -> None:
            Module.calls += 1
            original()

        return wrapper

    module = type("Module", (), {"function": staticmethod(lambda: None)})
    module.function = lambda: None
    outer, inner = Patches(), Patches()
    outer.replace(module, "function", seeing)
    inner.replace(module, "function", lambda original: lambda: original())
    outer.restore()
    outer.replace(module, "function", seeing)
    module.function()
    assert Module.calls == 1
    inner.restore()
    module.function()
    assert Module.calls == 2
    outer.restore()
    module.function()
    assert Module.calls == 2
