"""Answers in the terminal: one sentence, then each chain link by link."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.model.location import Location
from tensorwhy.model.report import Answer, Chain, Link, Report
from tensorwhy.rendering.paths import shown
from tensorwhy.rendering.snippet import Piece
from tensorwhy.rendering.text import safe, wrap

SIGNS = {"holds": "ok", "broken": "broken", "unknown": "?"}
_STYLES = {"holds": "good", "broken": "error", "unknown": "key"}
_LISTED = 3
"""So many whole chains are told link by link; of more, one line each."""
_LINES, _NAMED = 40, 12


def name_of(chain: Chain) -> str:
    """What the subject of a chain is called."""
    return chain.subject.name or chain.subject.kind


class Answers:
    """Writes the answers of one report, without the diagnoses that explain them."""

    def __init__(self, report: Report, width: int, base: str, unicode: bool) -> None:
        every = (*report.diagnoses, *(one for answer in report.answers for one in answer.findings))
        self._by_id = {diagnosis.id: diagnosis for diagnosis in every}
        self._width = width
        self._base = base
        self._unicode = unicode

    def lines(self, answer: Answer) -> Iterator[list[Piece]]:
        """One answer."""
        head = f"asked: {answer.question}" if answer.question else "asked"
        first, *rest = wrap(self._text(f"{head}: {answer.summary}"), self._width)
        lead = len(self._text(head))
        if len(first) >= lead:
            yield [(first[:lead], "key"), (first[lead:], "error" if answer.state == "broken" else "message")]
        else:
            yield [(first, "key")]
        yield from ([(line, "message")] for line in rest)
        whole = [chain for chain in answer.chains if chain.state != "broken"]
        for example, *others in _alike([chain for chain in answer.chains if chain.state == "broken"]):
            yield from self._chain(example)
            if others:
                names = ", ".join(f"`{name_of(other)}`" for other in others[:_NAMED])
                more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
                yield from self._row("also", "", f"broken in the same way: {names}{more}", "plain")
        if len(whole) > _LISTED:
            yield from self._short(whole)
        else:
            yield from (line for chain in whole for line in self._chain(chain))
        for near in answer.near:
            yield from self._row("nearby", "", near, "plain")

    def _chain(self, chain: Chain) -> Iterator[list[Piece]]:
        at = "" if chain.asked is None else f", gradient at {self._place(chain.asked)}"
        for line in wrap(self._text(f"`{name_of(chain)}`{at}"), self._width - 2):
            yield [("  ", "plain"), (line, "message")]
        for link in chain.links:
            yield from self._row(link.name, SIGNS[link.state], self._words(link), _STYLES[link.state])
        for diagnosis in filter(None, map(self._by_id.get, chain.diagnoses)):
            at = "" if diagnosis.primary is None else f" ({self._place(diagnosis.primary)})"
            yield from self._row("why", "", f"{diagnosis.code} {diagnosis.slug}{at}, shown in full below", "plain")

    def _words(self, link: Link) -> str:
        return link.text if link.location is None else f"{link.text} ({self._place(link.location)})"

    def _place(self, location: Location) -> str:
        return f"{shown(location.file, self._base)}:{location.line}"

    def _short(self, chains: list[Chain]) -> Iterator[list[Piece]]:
        """One line for each of many chains that are whole: what its gradient was, and whether it changed."""
        names = [self._text(name_of(chain)) for chain in chains[:_LINES]]
        column = min(max(map(len, names)), self._width // 2)
        for chain, name in zip(chains, names):
            told: dict[str, str] = {link.name: link.text for link in chain.links}
            yield from self._row(f"{name:<{column}}", SIGNS[chain.state], _brief(chain, told), _STYLES[chain.state])
        if len(chains) > _LINES:
            yield [(f"  and {len(chains) - _LINES} more without a broken link", "plain")]

    def _row(self, name: str, sign: str, text: str, style: str) -> Iterator[list[Piece]]:
        """A name, a sign and words, in columns."""
        lead, mark = f"    {name:<12} ", f"{sign:<6} " if sign else ""
        taken = len(lead) + len(mark)
        hang = min(taken, self._width // 3)
        first, *rest = wrap(self._text(text), self._width - hang, first=max(self._width - taken, 1))
        yield [(lead, "key"), (mark, style), (first, "plain")]
        for line in rest:
            yield [(" " * hang + line, "plain")]

    def _text(self, text: str) -> str:
        return safe(" ".join(text.split()), self._unicode)


def _alike(chains: list[Chain]) -> list[list[Chain]]:
    """Broken chains, those together that have the same cause: a training loop has hundreds of variables."""
    found: dict[object, list[Chain]] = {}
    for chain in chains:
        broken = next((link.name for link in chain.links if link.state == "broken"), "")
        found.setdefault((chain.asked, chain.diagnoses, broken), []).append(chain)
    return list(found.values())


def _brief(chain: Chain, told: dict[str, str]) -> str:
    """The first and the last norm of the gradient, and whether the value changed."""
    finite = [norm for norm in chain.norms if isinstance(norm, float)]
    norm = f"norm {finite[0]:.3g} -> {finite[-1]:.3g}" if len(finite) > 1 else told.get("gradient", "")
    return "; ".join(filter(None, (norm, told.get("value", "").partition(" (")[0])))
