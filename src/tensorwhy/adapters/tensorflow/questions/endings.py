"""How traced steps end: with NaN in their variables, or with gradients that have died while the program trained.

Both are seen when it is too late for the step that did it. So a copy of the step is executed: for NaN with the last
finite values of the variables, and the batches from then on, until one gives something that is not finite; for a dead
gradient with the values at the end, and batches that the step was given.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from tensorwhy.adapters.keras_common.learning import fitting
from tensorwhy.adapters.tensorflow.questions.signals import is_small
from tensorwhy.adapters.tensorflow.questions.stalled import Stalled
from tensorwhy.adapters.tensorflow.variables.trails import is_finite

if TYPE_CHECKING:
    from tensorwhy.adapters.tensorflow.replays.observed_graph import Traced
    from tensorwhy.adapters.tensorflow.variables.updates import Updates

_TRIES, _SECONDS = 256, 4.0
"""So many batches are tried for one step, and so long for all of them."""
_AT_EXIT = 2.0
"""So long steps are executed again at the end of a program in which nothing is known to be wrong."""
_NODES = 1500
_KEPT, _BATCHES, _BYTES = 8, 4, 4 << 20
"""Of so many steps so many batches of so many bytes are kept until then."""
_FLAT = 1e-6
_Key = tuple[int, int]
"""A call site, and the traced function that it is in."""


class Ended(msgspec.Struct, kw_only=True):
    """A step as it was found at the end. `state`: what its gradients are. `inputs`: those of its arguments."""

    state: str
    traced: Traced
    inputs: bool = False


class Endings:
    """`found` are steps that ended badly. `after` is called when a traced function has run."""

    def __init__(self, stalled: Stalled, updates: Updates) -> None:
        self.found: dict[_Key, Ended] = {}
        self._stalled, self._updates = stalled, updates
        self._batches: dict[_Key, list[dict[str, Any]]] = {}
        self._tries: dict[_Key, int] = {}
        self._failed: set[_Key] = set()
        self._trials: dict[_Key, tuple[Any, Any]] = {}
        self._spent = self._spent_at_exit = 0.0

    def after(self, owner: int, given: Any, result: Any) -> bool:
        """A function was called with what is given; returns whether its next call is wanted, too."""
        from tensorwhy.adapters.tensorflow.experiments.batches import batches

        broken = self.is_broken(owner)
        again = False
        for place, graph, names in self._stalled.steps(owner):
            key = place, owner
            if result is not None and not broken and key not in self._failed:
                self._about_inputs(key, graph, names, given, result)
            if key in self._failed or key in self.found:
                continue
            if broken:
                again = self._search(key, graph, names, batches(graph, given, read=True)) or again
            elif key in self._batches or len(self._batches) < _KEPT:
                self._batches[key] = _few(batches(graph, given, read=False))
        return again

    def fitted(self, owner: int) -> None:
        """A training call of Keras is over: look at once where its loss no longer moves, as its model may go."""
        if any(_is_flat(losses) for losses in fitting.loss_logs.values()):
            self._die(owner)

    def over(self, owners: Iterable[int]) -> None:
        """The program is over."""
        self._trials.clear()
        for owner in owners:
            if not self.is_broken(owner):
                self._die(owner)

    def is_broken(self, owner: int) -> bool:
        """Return whether a variable of a traced function is NaN or infinite by now."""
        return any(trail.lost >= 0 for trail in self._updates.trails(owner, others=False).values())

    # -- NaN -----------------------------------------------------------------------------------------------------

    def _search(self, key: _Key, graph: Any, names: tuple[str, ...], given: Iterable[dict[str, Any]]) -> bool:
        """Try batches until one gives something that is not finite; returns whether to go on with the next call."""
        from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph

        began = _now()
        trails = self._updates.trails(key[1])
        values = {handle: trail.finite for handle, trail in trails.items() if trail.finite is not None}
        try:
            for arguments in given:
                tries = self._tries[key] = self._tries.get(key, 0) + 1
                if tries > _TRIES or self._spent + _since(began) > _SECONDS:
                    self._fail(key)
                    break
                step, trial = self._trials.get(key, (None, None))
                if trial is None or not trial.fits(arguments):
                    step = step or self._step(graph, names)
                    self._trials[key] = step, ObservedGraph(step, self._asked(key), arguments, values)
                    step, trial = self._trials[key]
                answer = trial.answer(arguments)
                if all(map(is_finite, [*answer.targets, *answer.gradients.values()])):
                    continue
                bad = [handle for handle, each in answer.gradients.items() if not is_finite(each)]
                made = ObservedGraph(step, bad or trial.handles, arguments, values, graph)
                self.found[key] = Ended(state="non-finite", traced=made.executed())
                self._trials.pop(key)
                return False
        except Exception:  # a copy of a step may refuse in many ways: then nothing is known of how it ended
            self._fail(key)
        finally:
            self._spent += _since(began)
        return key not in self._failed and not fitting.given

    def _fail(self, key: _Key) -> None:
        self._failed.add(key)
        self._trials.pop(key, None)

    def _step(self, graph: Any, names: tuple[str, ...]) -> Any:
        from tensorwhy.adapters.tensorflow.replays import graph_steps
        from tensorwhy.adapters.tensorflow.replays.opening import Impossible

        step = graph_steps.step_of(tuple(graph.get_tensor_by_name(name) for name in names))
        if isinstance(step, str) or graph_steps.calls_python(step):
            raise Impossible("it is too long, or calls Python")
        return step

    def _asked(self, key: _Key) -> list[int]:
        asks = (ask for ask in self._updates.asks if (ask.place, ask.owner) == key)
        return list(dict.fromkeys(h for ask in asks for h in ask.handles if h >= 0))

    # -- gradients with respect to arguments -------------------------------------------------------------------

    def _about_inputs(self, key: _Key, graph: Any, names: tuple[str, ...], given: Any, result: Any) -> None:
        """Execute a step that gave next to nothing for its own arguments; a good answer takes that back."""
        from tensorwhy.adapters.tensorflow.experiments import inputs

        known = self.found.get(key)
        if known is not None and not known.inputs:
            return
        try:
            if not inputs.are_small(result, given):
                if self.found.pop(key, None) is not None:
                    self._failed.add(key)
            elif known is None:
                asked = {t for ask in self._updates.asks if (ask.place, ask.owner) == key for t in inputs.tensors(ask)}
                made = inputs.executed(self._step(graph, names), graph, asked, given) if asked else None
                if made is not None:
                    self.found[key] = Ended(state="zero", traced=made, inputs=True)
        except Exception:  # a copy of a step may refuse in many ways
            self._failed.add(key)

    # -- gradients that have died --------------------------------------------------------------------------------

    def _die(self, owner: int) -> None:
        """Look whether a step still has gradients, with the values that its variables have now."""
        from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph

        for place, graph, names in self._stalled.steps(owner):
            key = place, owner
            known = self._batches.pop(key, [])
            if not known or key in self.found or key in self._failed or self._spent_at_exit > _AT_EXIT:
                continue
            began = _now()
            try:
                step = self._step(graph, names)
                if len(step.nodes) > _NODES:
                    continue
                trial = ObservedGraph(step, self._asked(key), known[0])
                dead, results = set(trial.handles), set()
                for arguments in filter(trial.fits, known):
                    answer = trial.answer(arguments)
                    results.add(tuple(each.tobytes() for each in answer.targets))
                    dead = {h for h in dead if h in answer.gradients and is_small(answer.gradients[h])}
                same = len(results) == 1 < len(known)
                if dead or same:
                    made = ObservedGraph(step, sorted(dead) or trial.handles, known[0], inside=graph)
                    self.found[key] = Ended(state="zero", traced=made.executed())
            except Exception:  # as above
                self._failed.add(key)
            finally:
                self._spent_at_exit += _since(began)


def _now() -> tuple[float, float]:
    return time.thread_time(), time.monotonic()


def _since(began: tuple[float, float]) -> float:
    """Seconds of this thread's own work; a busy machine changes no answer, unless it takes four times as long."""
    worked, passed = (now - then for now, then in zip(_now(), began, strict=True))
    return max(worked, passed / 4)


def _few(given: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The first batches, copied, as far as they are small."""
    found: list[dict[str, Any]] = []
    size = 0
    for arguments in given:
        size += sum(array.nbytes for array in arguments.values())
        if size > _BYTES or len(found) == _BATCHES:
            break
        found.append({name: np.array(array) for name, array in arguments.items()})
    return found


def _is_flat(losses: tuple[float, ...]) -> bool:
    """Return whether the loss was the same in the last epochs."""
    return len(losses) > 1 and abs(losses[-1] - losses[-2]) <= _FLAT * abs(losses[-1])
