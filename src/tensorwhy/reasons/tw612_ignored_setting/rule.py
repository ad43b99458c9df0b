"""TW612 ignored-setting: a setting takes no effect, because nobody reads it or something else overrules it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, about
from tensorwhy.diagnosis.training import marks
from tensorwhy.model.facts.training import IgnoredSetting, VainSetting
from tensorwhy.model.location import Marked
from tensorwhy.model.report import Fix
from tensorwhy.reasons.tw612_ignored_setting import vain

META = about(
    __name__,
    summary="A setting has no effect: no code reads it, or another setting contradicts it.",
    severity="warning",
)


def match(case: Case) -> Evidence | None:
    """Hold for an attribute that no class of the object mentions, and for settings that do not go together."""
    fact = case.fact
    if isinstance(fact, VainSetting):
        return vain.evidence(fact)
    primary = (fact.set_at or fact.made or fact.asked) if isinstance(fact, IgnoredSetting) else None
    if not isinstance(fact, IgnoredSetting) or primary is None:
        return None
    return Evidence(
        message=f"`{fact.attribute}` of this `{fact.of_class}` is {fact.value}, and nothing reads it: "
        f"its `{fact.option}` is still {fact.used}",
        primary=Marked.at(
            primary, "this sets a new attribute" if fact.set_at is not None else "its attribute is ignored"
        ),
        related=marks(primary, (fact.made, "created here", "optimizer"), (fact.asked, "trained here", "asked")),
        notes=(f"no code of `{fact.of_class}` or its base classes mentions the name `{fact.attribute}`",),
        fixes=(Fix(summary=f"set `{fact.option}` instead of `{fact.attribute}`"),),
    )
