"""The catalogue's text on a code, inside the page: it can be read where there is no network."""

from __future__ import annotations

from collections.abc import Sequence

from tensorwhy.model.report import Diagnosis
from tensorwhy.rendering import Rule, links
from tensorwhy.rendering.html.markup import Html, Markup


class About:
    """What the catalogue says on the codes of one page. Each text is there once: at its first diagnosis."""

    def __init__(self, m: Markup, rules: Sequence[Rule]) -> None:
        self._m = m
        self._rules = {(rule.code, rule.slug): rule for rule in rules}
        self._written: set[str] = set()

    def code(self, diagnosis: Diagnosis) -> Html:
        """The code and its name, as a link to its hosted page where the catalogue has one."""
        m = self._m
        name = m("b", "", diagnosis.code), f" {diagnosis.slug}"
        if (diagnosis.code, diagnosis.slug) not in self._rules:
            return m("span", "code-name", *name)
        address = links.catalogue(diagnosis.code, diagnosis.slug)
        return m("a", "code-name", *name, href=address, target="_blank", rel="noopener noreferrer")

    def text(self, diagnosis: Diagnosis) -> Html | None:
        """The folded text on the code; a link to it where an earlier diagnosis has it."""
        rule = self._rules.get((diagnosis.code, diagnosis.slug))
        if rule is None or not rule.help:
            return None
        m, anchor, title = self._m, f"about-{rule.code}", f"About {rule.code}: {rule.summary}"
        if rule.code in self._written:
            return m("p", "about-code", m("a", "link", m.prose(title), href=f"#{anchor}"))
        self._written.add(rule.code)
        return m(
            "details", "about-code", m("summary", "", m.prose(title)), m("div", "prose", _html(rule.help), id=anchor)
        )


def _html(markdown: str) -> Html:
    """The text without its title. Raw HTML in it stays text."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    tokens = parser.parse(markdown)
    if [token.tag for token in tokens[:1]] == ["h1"]:
        tokens = tokens[3:]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
        for inner in token.children or ():
            if inner.type == "link_open":
                inner.attrSet("rel", "noopener noreferrer")
                inner.attrSet("target", "_blank")
    return Html(parser.renderer.render(tokens, parser.options, {}))
