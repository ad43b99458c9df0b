"""The words for the parts of a finding: every renderer that people read calls the same part by the same name."""

from __future__ import annotations

from tensorwhy.model.report import Diagnosis, Fix, Report, Verification

RULED_OUT = "ruled out (tested)"
VERIFIED = "verified"
REFUTED = "did not help (tested)"
NOT_VERIFIED = "not verified"
UNTESTED = "suggestion, not tested"


def fix(proposed: Fix) -> str:
    """Return the name of a fix: only one that was tried is called a fix."""
    return UNTESTED if proposed.verification.status == "unverified" else "fix"


def caveat(text: str) -> tuple[str, str]:
    """Return the name and the words of a caveat: when the fix is wrong, or what to know about it."""
    condition = "unless "
    return ("unless", text.removeprefix(condition)) if text.startswith(condition) else ("but", text)


def check(verification: Verification) -> str:
    """Return the name of what an experiment said."""
    return {"confirmed": VERIFIED, "refuted": REFUTED, "unverified": NOT_VERIFIED}[verification.status]


def seen(diagnosis: Diagnosis, report: Report) -> str:
    """Return how often a finding came up, in how much that was looked at; empty when once."""
    times, steps, coverage = diagnosis.seen, diagnosis.steps, report.coverage
    if times < 2:
        return ""
    if len(report.workers) > 1 or times > steps:
        return f"found {times} times in this run"
    watched = "observed steps" if coverage.steps > coverage.steps_recorded else "recorded steps"
    which = "both" if times == steps == 2 else f"all {steps}" if times == steps else f"{times} of {steps}"
    return f"in {which} {watched}"
