"""A call that failed below Python, told by what decided: which operand, and what the call would take instead."""

from __future__ import annotations

import ast
from typing import Any

from tensorwhy.adapters.refusal import values, way
from tensorwhy.adapters.refusal.context import Context
from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.refusal.way import Arrival
from tensorwhy.model.facts.refusal import Check, Compared, RefusedObject, Thing

_UNNAMED = "input"


def told(found: Native, context: Context) -> RefusedObject | None:
    """The fact about a call that failed."""
    own = context.stack.own
    if own is None or own.location is None:
        return None
    call = context.called(own)
    direct = found.owner_text in ("", call)
    call = found.owner_text or call

    def tell(thing: Any, arrival: Arrival | None, text: str) -> Thing:
        return context.thing(thing, context.describe(thing), arrival, text=text)

    def named(thing: Any) -> tuple[str, Thing]:
        if id(thing) in found.names:
            return found.names[id(thing)], tell(thing, None, found.names[id(thing)])
        if thing is found.owner:
            return call, tell(thing, None, call)
        arrival = way.arrival(thing, context.stack, context.sources, parts=False)
        text = _text(arrival)
        if text and not direct and values.value(ast.parse(text, mode="eval").body, own.frame) is not thing:
            arrival, text = None, ""  # what went into the outer layer, and not what the inner one got
        told = tell(thing, arrival, text)
        return text or told.text, told

    def compared(side: NativeSide) -> Compared:
        if side.owner is None and id(None) not in found.names:
            return Compared(text="", value=side.value)
        text, thing = named(side.owner)
        text = text or (_UNNAMED if side.owner is found.thing else "")
        part = f".{side.text}" if side.text else ""
        return Compared(text=f"{text}{part}" if text else "", value=side.value, thing=thing)

    text, thing = named(found.thing)
    texts = {"": text, "module": call, "moved": named(found.moved)[0] if found.moved is not None else ""}
    return RefusedObject(
        thing=thing,
        others=() if found.sides else tuple(named(each)[1] for each in found.others),
        used=own.location,
        call=call,
        how="operand",
        marks=found.marks,
        check=Check(
            by=found.by,
            condition=found.says,
            relation=found.relation if found.sides else "",
            sides=tuple(compared(each) for each in found.sides),
            accepts=found.takes,
            requires=found.requires,
        ),
        advice=tuple(filled for each in found.advice if (filled := _filled(each, texts))),
    )


def _text(arrival: Arrival | None) -> str:
    return arrival.text if arrival is not None and arrival.how == "operand" else ""


def _filled(advice: str, texts: dict[str, str]) -> str:
    """The advice about these objects; empty where one of them has no text."""
    for name, text in texts.items():
        if f"{{{name}}}" in advice and not text:
            return ""
        advice = advice.replace(f"{{{name}}}", text)
    return advice
