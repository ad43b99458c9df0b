"""Links "moved" and "finite": how far the values of variables went in all, and whether they are still numbers.

Both compare the first value with the last one. A value that went next to nowhere is only reported with what holds it
back: a tiny learning rate, or a division that nothing makes up for.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from tensorwhy.adapters import number_warnings
from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.keras_common.learning import fitting, ignored_settings
from tensorwhy.adapters.tensorflow.ledger import replayed_updates
from tensorwhy.adapters.tensorflow.ledger.rows import Rows
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of
from tensorwhy.adapters.tensorflow.variables.trails import span
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.adapters.tensorflow.variables.used import Sample, Used
from tensorwhy.diagnosis.updates import scales_itself
from tensorwhy.lineage.flow import walk
from tensorwhy.model.facts.training import HardlyMoved, IgnoredSetting, NotFinite
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

GROWN = 1e3
"""A variable that was this many times larger before it was NaN has diverged: no single operation is to blame."""
_STEPS, _SLOW, _PER_STEP, _RATE = 20, 1e-5, 1e-6, 1e-5
"""After so many steps it is looked at what moves by less than this of its size in each of them; with nothing but a
small learning rate to blame, at what moves by less than a tenth of that."""


def fill(rows: Rows, understood: Collection[int]) -> None:
    """Enter what is NaN by now, what hardly moved, and settings that were ignored."""
    for ask in rows.sites.values():
        given = [h for h in rows.given(ask) if not rows.is_broken(h)]
        watched = rows.updates.watched
        if any(h in understood and h in watched and watched[h].trail.lost >= 0 for h in given):
            continue  # the others were lost because of it
        if not _not_finite(rows, ask, [h for h in given if h not in understood]):
            for used in rows.applied.optimizers:
                own = [h for h in given if h in used.handles]
                if own and not _ignored(rows, ask, used, own):
                    _hardly_moved(rows, ask, used, own)


def growth(session: Any, handles: Iterable[int]) -> float | None:
    """How many times larger the variable that grew most has become; None where none of them was anything at first."""
    watched = session.tapes.updates.watched
    found = [watched[h].trail.grown for h in handles if h in watched]
    return max((each for each in found if each is not None), default=None)


def lost_loss() -> Iterable[NotFinite]:
    """Training calls whose last loss was not finite."""
    for at, losses in fitting.loss_logs.items():
        if losses and not math.isfinite(losses[-1]):
            epoch, epochs = fitting.bad_epoch(at)
            fed = fitting.not_finite.get(at, ())
            yield NotFinite(problem="not-finite", asked=at, epoch=epoch, epochs=epochs, fed=fed)


def _not_finite(rows: Rows, ask: Ask, handles: Iterable[int]) -> bool:
    trails = {h: rows.updates.watched[h].trail for h in handles}
    lost = [h for h, trail in trails.items() if trail.lost >= 0]
    if not lost:
        return False
    used = next((each for each in rows.applied.optimizers if each.handles.intersection(lost)), None)
    decay = _decay(used, [trails[h].finite for h in lost]) if used is not None else None
    kept = getattr(_inner(used), "weight_decay", None) if used is not None else None
    place = rows.place(ask.place)
    epoch, epochs = fitting.bad_epoch(place)
    warned = number_warnings.before(min(trails[h].lost_at for h in lost))
    cause = rows.cause(
        NotFinite,
        "not-finite",
        ask,
        span=span(trails[h] for h in lost),
        epoch=epoch,
        epochs=epochs,
        grown=growth(rows.session, lost),
        scaled=_scaled(rows, lost),
        decay=decay,
        decays=float(kept) if isinstance(kept, (int, float)) else None,
        rate=used.learning_rate()[0] if used is not None else None,
        optimizer=used.made if used is not None else None,
        warned=warned.location if warned is not None else None,
        warning=warned.text if warned is not None else "",
        fed=fitting.not_finite.get(place, ()) if place is not None else (),
    )
    rows.broken("finite", lost, cause)
    return True


def _scaled(rows: Rows, handles: Iterable[int]) -> tuple[Location, ...]:
    """The lines of the program that change these variables by a multiple of themselves."""
    sources, lineage = Sources(), rows.session.lineage()
    places = dict.fromkeys(event.place for handle in handles for event in lineage.assignments(handle))
    found = (at for place in places if (at := rows.place(place)) is not None and scales_itself(sources, at))
    return tuple({at.order[:2]: at for at in found}.values())


def _inner(used: Used) -> Any:
    optimizer = used.optimizer()
    return getattr(optimizer, "inner_optimizer", optimizer)


def _decay(used: Used, values: Iterable[Any]) -> float | None:
    """What an update with a gradient of zero multiplies a variable with; None where it leaves it, or is not known."""
    value = next((each for each in values if each is not None and each.size and each.any()), None)
    optimizer = _inner(used)
    if value is None or optimizer is None or not packages.native(optimizer):
        return None
    if used.remade is None:
        used.look_again()
        used.remember(optimizer)
    small = np.ones(4, value.dtype if value.dtype.name in ("float32", "float64") else np.float32)
    sample = Sample(value=small, dtype=small.dtype.name, step=used.updates or 0)
    try:
        run = replayed_updates.run(used, sample, np.zeros_like(small), sample.dtype, None)
    except Exception:  # a copy of the program's own optimizer may refuse in any way
        return None
    return float(run.after[0]) if run is not None and run.moved else None


def _hardly_moved(rows: Rows, ask: Ask, used: Used, handles: list[int]) -> None:
    """Enter variables of one optimizer, where all that it trains went next to nowhere."""
    trails = [rows.updates.watched[h].trail for h in used.handles if h in rows.updates.watched]
    moved = [(trail.moved, trail.steps[1] - trail.steps[0]) for trail in trails]
    scale = _unmatched_scale(rows, ask, used)
    least = _STEPS if scale is None else 1
    known = [(far, steps) for far, steps in moved if far is not None and steps >= least]
    pace = max((far / steps for far, steps in known), default=0.0)
    if pace <= 0 or (pace >= _SLOW and scale is None):
        return
    used.look_again()
    rate, schedule = used.learning_rate()
    tiny = rate is not None and 0 < rate < _RATE and schedule is None and pace < _PER_STEP
    if scale is not None or tiny:
        cause = rows.cause(
            HardlyMoved,
            "hardly-moved",
            ask,
            moved=max(far for far, _ in known),
            optimizer=used.made,
            rate=rate,
            scale=scale,
        )
        rows.broken("moved", handles, cause)


def _unmatched_scale(rows: Rows, ask: Ask, used: Used) -> float | None:
    """What an optimizer divides gradients by, where the loss was computed without reading that number."""
    held = getattr(used.optimizer(), "dynamic_scale", None)
    scale = used.scale()
    if held is None or scale <= 1:
        return None
    lineage, own = rows.session.lineage(), handle_of(held)
    given = {key for call in rows.session.tapes.applied.calls for key, handle in call.pairs if handle in used.handles}
    ends, before = tuple(sorted(given - {-1})), rows.session.journal.position
    by_hand = bool(ends) and own in walk(lineage, ends, before).alive
    return None if by_hand or own in walk(lineage, ask.targets, ask.event).alive else scale


def _ignored(rows: Rows, ask: Ask, used: Used, handles: list[int]) -> bool:
    """Enter a setting of an optimizer that nobody reads."""
    optimizer = _inner(used)
    if optimizer is None:
        return False
    place = rows.place(ask.place)
    for each in ignored_settings.found(optimizer):
        files = [at.file for at in (place, used.made) if at is not None]
        cause = rows.cause(
            IgnoredSetting,
            "ignored-setting",
            ask,
            attribute=each.attribute,
            option=each.option,
            of_class=type(optimizer).__name__,
            value=each.value,
            used=each.used,
            set_at=_set_at(each.attribute, files),
            made=used.made,
        )
        rows.broken("update", handles, cause)
        return True
    return False


def _set_at(attribute: str, files: Iterable[str]) -> Location | None:
    """The one line of these files that sets an attribute of this name; None where several do."""
    sources, found = Sources(), []
    for file in dict.fromkeys(files):
        for node in sources.nodes(file):
            if isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Store):
                found.append(sources.place(file, node))
    return found[0] if len(found) == 1 else None
