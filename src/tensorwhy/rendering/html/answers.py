"""Answers to what was asked, as HTML: one card each, with the links of each chain."""

from __future__ import annotations

from tensorwhy.model.report import Answer, Chain
from tensorwhy.rendering import paths
from tensorwhy.rendering.answers import SIGNS, name_of
from tensorwhy.rendering.html.markup import Html, Markup

_LABELS = {"broken": "primary", "holds": "related", "unknown": ""}


def answer_card(m: Markup, answer: Answer, base: str) -> Html:
    """The question, the answer in one sentence, and every chain; all are folded but the first that is broken."""
    shown = next((chain for chain in answer.chains if chain.state == "broken"), None)
    return m(
        "section",
        "card",
        m(
            "p",
            "fix-summary",
            m("b", "", "asked: "),
            [m("code", "code", answer.question), ": "] if answer.question else None,
            m.prose(answer.summary),
        ),
        [_chain(m, chain, base, folded=len(answer.chains) > 1 and chain is not shown) for chain in answer.chains],
        m("p", "dim", "nearby: ", m.prose("; ".join(answer.near))) if answer.near else None,
    )


def _chain(m: Markup, chain: Chain, base: str, folded: bool) -> Html:
    at = "" if chain.asked is None else f", gradient at {paths.shown(chain.asked.file, base)}:{chain.asked.line}"
    head = [m("code", "code", name_of(chain)), at]
    rows = [
        [
            m("dt", "fact-name", link.name),
            m(
                "dd",
                "fact",
                m("b", f"label label-{_LABELS[link.state]}", SIGNS[link.state]),
                " ",
                m.prose(link.text),
                m("span", "where", f" {paths.shown(link.location.file, base)}:{link.location.line}")
                if link.location is not None
                else None,
            ),
        ]
        for link in chain.links
    ]
    links = m("dl", "facts", rows)
    if folded:
        return m("details", "", m("summary", "more", head, f": {SIGNS[chain.state]}"), links)
    return m("div", "", m("p", "", head), links)
