"""Gradients that are zero or not finite, each with the step that it came from, executed once more.

In a recorded step the gradients of leaves are looked at once, as `backward` or `grad` returns. Only after a bad answer
what the step began with is copied, as long as that is small, and the step is executed again at the end. A good answer
later takes it back.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import torch

from tensorwhy.adapters.torch.operations.graphs import tensors
from tensorwhy.adapters.torch.recording.calls import Slice
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.replays.replay import HELD, Held, Step
from tensorwhy.adapters.torch.replays.terms import Terms
from tensorwhy.lineage.signal import Walk

_TRIES = 3
"""So often a call site is looked at closely."""
_IN_A_ROW = 3
_MORE = 6
"""So many steps of a call site are held."""
_CLOSELY = 16
"""So many calls of a site are looked at; then ever fewer, as long as nothing is bad."""
_SITES = 64
_PLAIN = {torch.float32, torch.float64}
_LAYOUTS = (torch.strided, torch.sparse_coo)
_UNSEEN = "gradients that are zero or NaN in steps that cannot be executed again"
_LONG = 8.0
"""Seconds of the processor that steps are executed for at the end."""
_LEFT = f"gradients that are zero or NaN in some steps: executing those would take longer than {_LONG:g} s"
_FAINT = 1e-7
"""What may be left by rounding beside the largest gradient: most of what is as small is not zero."""


class Site:
    """One call of `backward` or `grad`.

    `bad`: how often in a row each leaf got a bad gradient: zero ("z"), or not finite ("n"). `held`: one step of
    each, and further ones ("n 1") of those with earlier weights: `restored`. `differentiated`: the gradient has one of
    its own. `lost`: how often the target was not finite. `fine`: leaves that once got a good gradient here.
    """

    def __init__(self, place: int, call: str) -> None:
        self.place = place
        self.call = call
        self.count = 0
        self.large = False
        """Its step has more calls than are executed again."""
        self.lost = 0
        self.alone = False
        """A target was not finite, and all gradients were."""
        self.looks = 0
        self.tries = 0
        self.bad: dict[int, tuple[str, int]] = {}
        self.at: dict[int, tuple[str, int]] = {}
        """The same by the turn of a source in the call: data are another tensor in each."""
        self.held: dict[str, Held] = {}
        self.events: dict[str, int] = {}
        self.asked = 0
        self.differentiated = False
        self.fine: set[int] = set()
        self.restored: set[str] = set()
        self.targets: tuple[int, ...] = ()
        self.problem = ""
        """The exception that anomaly mode raised here."""


class Signals:
    """`sites` are the call sites by place."""

    def __init__(self, recorder: Recorder, terms: Terms) -> None:
        self._recorder, self._terms = recorder, terms
        self.sites: dict[int, Site] = {}
        self._spent = 0.0
        self.waiting = self.caught = False
        """A loss was not finite while nothing was recorded: every one is looked at until there is another."""
        self.finite: Callable[[int], Any] = lambda serial: None

    def began(self, targets: tuple[Any, ...], grads: Any, place: int, call: str) -> Slice | None:
        """Take hold of what targets were computed from, until their gradient is there."""
        recorder = self._recorder
        site = self.sites.get(place)
        if not recorder.armed or (site is None and len(self.sites) >= _SITES):
            return None
        if site is None:
            site = self.sites[place] = Site(place, call)
        site.count += 1
        if site.count > _CLOSELY and not site.bad and not self.waiting and site.count & (site.count - 1):
            return None
        if site.large or any(map(torch._C._functorch.is_functorch_wrapped_tensor, targets)):
            return None  # inside of a transform, a tensor stands for many
        given = tuple(tensors([grads]))
        if call == "backward":
            self._terms.differentiate(place, site.count, targets, given)
        sliced = recorder.calls.slice(targets, given if len(given) == len(targets) else ())
        if sliced is None:
            recorder.unseen[_UNSEEN] = None
            site.large = recorder.calls.large
        return sliced

    def ended(self, sliced: Slice | None, place: int, answers: dict[int, Any] | None = None) -> None:
        """Look at the gradients of leaves, or at the `answers` of `grad` by their sources."""
        if sliced is None:
            return
        found = {serial: sliced.given[serial].grad for serial in sliced.leaves} if answers is None else answers
        now = states({serial: each for serial, each in found.items() if each is not None})
        site = self.sites[place]
        if answers is None and self._is_lost(sliced):
            site.lost += 1
            self.caught |= self.waiting
            site.alone |= bool(now) and "n" not in now.values()
            if "loss" not in site.held and site.tries < _TRIES:
                self._hold(site, sliced, "loss", sliced.leaves)
        if not now:
            return
        site.looks += 1
        site.differentiated = any(each is not None and each.requires_grad for each in found.values())
        site.asked, site.targets = len(now), sliced.targets
        site.fine |= {serial for serial, state in now.items() if not state}
        before = {serial: site.bad.get(serial) or site.at.get(turn, ("", 0)) for turn, serial in enumerate(found)}
        site.bad = {
            serial: (state, before[serial][1] + 1 if before[serial][0] == state else 1)
            for serial, state in now.items()
            if state
        }
        turns = {serial: turn for turn, serial in enumerate(found)} if answers is not None else {}
        site.at = {turns[serial]: bad for serial, bad in site.bad.items() if serial in turns}
        leaves = {*sliced.leaves}
        for kind in ("n", "z"):
            bad = [serial for serial, (state, _) in site.bad.items() if state == kind and serial in leaves]
            if not bad:
                site.held = {key: held for key, held in site.held.items() if key.partition(" ")[0] != kind}
            elif (kind not in site.held and site.tries < _TRIES) or self._is_new(site, kind, bad):
                self._hold(site, sliced, kind, bad)
            elif kind == "n" and "n" in site.restored and len(site.held) < _MORE:
                self._hold(site, sliced, f"n {len(site.held)}", bad)

    def failed(self, sliced: Slice | None, place: int, problem: str) -> None:
        """`backward` raised: in anomaly mode it does so at the first NaN, before any leaf has its gradient."""
        if sliced is None or not torch.is_anomaly_enabled():
            return
        site = self.sites[place]
        self._hold(site, sliced, "n", sliced.leaves)
        step = site.held["n"].step() if "n" in site.held else None
        walk = Walk(step, sliced.leaves) if step is not None else None
        bad = [each for each in sliced.leaves if walk is not None and walk.state(each) == "non-finite"]
        if step is not None and (bad or step.born() is not None):
            site.problem, site.asked, site.targets = problem, len(sliced.leaves), sliced.targets
            site.bad = dict.fromkeys(bad, ("n", site.looks + 1))

    def _is_lost(self, sliced: Slice) -> bool:
        """Return whether a target is not finite."""
        found = {number: target for number, each in zip(sliced.targets, sliced.asked) if (target := each()) is not None}
        return not all(map(math.isfinite, largest(found)))

    def _is_new(self, site: Site, kind: str, bad: Sequence[int]) -> bool:
        """Return whether what was zero now and then is so steadily, or others are."""
        step = site.held.get(kind)
        if kind == "n" or step is None or site.tries >= _TRIES:
            return False
        return not set(bad) <= set(step.sources) or any(site.bad[each][1] == _IN_A_ROW for each in bad)

    def _hold(self, site: Site, sliced: Slice, kind: str, bad: Sequence[int]) -> None:
        further = " " in kind
        site.tries += not further
        site.events[kind] = self._recorder.journal.position
        site.held.pop(kind, None)
        room = HELD - sum(each.size for other in self.sites.values() for each in other.held.values())
        try:
            sliced = self._recorder.calls.with_background(sliced)
            if kind == "n" or further:
                sliced = self._restored(site, sliced)
            site.held[kind] = Held(sliced, bad, bad if kind == "z" else (), room)
        except Exception:  # what cannot be copied says nothing
            return

    def steps(self, site: Site) -> dict[str, Step]:
        """Execute what is held of a site, unless that took long already: of several with earlier weights, those until
        one that is not finite."""
        found = dict[str, Step]()
        for kind, held in site.held.items():
            if " " in kind and "n" in found and _is_broken(found["n"]):
                continue
            began, event = time.thread_time(), site.events[kind]
            if self._spent >= _LONG:
                held.drop()
                self._recorder.unseen[_LEFT] = None
            step = held.step()
            self._spent += time.thread_time() - began
            kind, _, further = kind.partition(" ")
            if step is not None and (not further or kind not in found or _is_broken(step)):
                found[kind] = step
                site.events[kind] = event
        return found

    def _restored(self, site: Site, sliced: Slice) -> Slice:
        """Return the same step with the last finite values of leaves that have some that are not."""
        sizes = largest({each: sliced.given[each] for each in sliced.leaves})
        broken = [each for each, size in zip(sliced.leaves, sizes) if not math.isfinite(size)]
        finite = {each: kept for each in broken if (kept := self.finite(each)) is not None}
        if not finite:
            return sliced
        site.restored.add("n")
        return sliced._replace(given={**sliced.given, **finite})

    def suspects(self) -> set[int]:
        """Return the leaves that got a bad gradient when it was looked at last."""
        return {serial for site in self.sites.values() for serial in site.bad}


def _is_broken(step: Step) -> bool:
    """Whether a gradient of a step is not finite."""
    walk = Walk(step, step.sources)
    return any(walk.state(each) == "non-finite" for each in step.sources)


def states(grads: dict[int, Any]) -> dict[int, str]:
    """By the number of a leaf: "z" for a gradient of zeros, or what rounding leaves, "n" for one that is not finite."""
    known = [serial for serial, each in grads.items() if each.layout in _LAYOUTS and each.numel()]
    sizes = largest({serial: grads[serial] for serial in known})
    most = max((size for size in sizes if math.isfinite(size)), default=0.0)
    most = max(most, 1.0)  # most targets begin with a gradient of 1
    return {
        serial: "n" if not math.isfinite(size) else "z" if size <= _FAINT * most else ""
        for serial, size in zip(known, sizes)
    }


def largest(tensors_: dict[int, Any]) -> list[float]:
    """Return the largest absolute value of each tensor: NaN where it has one, 0 where it has none."""
    if not tensors_:
        return []
    plain = [(each._values() if each.layout is torch.sparse_coo else each).detach() for each in tensors_.values()]
    usable = {each.layout for each in plain} == {torch.strided} and all(each.numel() for each in plain)
    dtypes = {each.dtype for each in plain}
    if usable and dtypes <= _PLAIN and len(dtypes) == 1 and all(each.is_cpu for each in plain):
        ends = torch.stack([end for each in plain for end in torch.aminmax(each)]).tolist()  # many times faster there
        return [math.nan if low != low else max(high, -low) for low, high in zip(ends[::2], ends[1::2])]
    if usable and all(each.is_floating_point for each in dtypes) and len({each.device for each in plain}) == 1:
        sizes = list(torch._foreach_norm(plain, math.inf))  # one call for all of them
        if len(dtypes) == 1:
            return [float(size) for size in torch.stack(sizes).to("cpu", torch.float32).tolist()]
    else:
        nothing = torch.zeros(())
        sizes = [each.abs().amax() if each.layout is torch.strided and each.numel() else nothing for each in plain]
    return [float(size) for size in torch.stack([each.to("cpu", torch.float32) for each in sizes]).tolist()]


def leaves_of(serials: Iterable[int], recorder: Recorder) -> dict[int, Any]:
    """Return the living leaves of some numbers."""
    found = {}
    for serial in serials:
        reference = recorder.leaves.get(serial)
        tensor = reference() if reference is not None else None
        if tensor is not None:
            found[serial] = tensor
    return found
