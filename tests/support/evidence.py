"""What experiments found for a program whose questions are marked by comments."""

from __future__ import annotations

from support.runner import Result


def evidence(result: Result, program: str, word: str) -> list[tuple[str, str]]:
    """Status and evidence of the diagnoses whose question is on the line that ends in this comment: of the explanation,
    or of its first fix where that is the very thing that was tried.
    """
    assert result.report is not None, result.stderr
    line = program[: program.index(f"# {word}\n")].count("\n") + 1
    at = [d for d in result.report.diagnoses if d.symptom.location and d.symptom.location.line == line]
    assert at, result.account()
    checks = [d.experiment if d.experiment.evidence else fix.verification for d in at for fix in d.fixes[:1]]
    return [(check.status, check.evidence) for check in checks]
