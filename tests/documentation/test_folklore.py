"""The verdicts on the page of folklore are those of the TensorFlow that is installed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

pytest.importorskip("tensorflow")
FOLKLORE = Path(__file__).resolve().parents[2] / "docs" / "folklore"


@pytest.fixture(scope="module")
def claims():
    spec = importlib.util.spec_from_file_location("claims", FOLKLORE / "claims.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_verdicts_here_are_those_that_are_kept(claims) -> None:
    kept = FOLKLORE / "verdicts" / f"tensorflow-{claims.version()}.json"
    if not kept.exists():
        pytest.skip(f"TensorFlow {claims.version()} is not among the supported versions")
    assert json.loads(kept.read_text(encoding="utf-8")) == claims.run()


def test_every_supported_version_has_a_verdict_on_every_claim(claims) -> None:
    kept = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in (FOLKLORE / "verdicts").iterdir()}
    assert set(kept) == {"tensorflow-2.8", "tensorflow-2.12", "tensorflow-2.21"}
    names = [each.name for each in claims.CLAIMS]
    assert all(list(verdicts) == names for verdicts in kept.values())


def test_claims_point_at_reasons_that_exist(claims) -> None:
    from tensorwhy.reasons import catalogue

    assert {each.see for each in claims.CLAIMS} - {""} <= {reason.meta.code for reason in catalogue()}
