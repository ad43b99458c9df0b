"""Which Keras layer a variable belongs to, looked up once, while the layer is alive."""

from __future__ import annotations

import msgspec

from tensorwhy.model.location import Location


class Layer(msgspec.Struct, frozen=True, kw_only=True):
    """A layer as people name it, and the user's line that made it. `path` has the layers around it, if Keras knows.

    `variable` is what it calls the variable that was asked about; empty where that has TensorFlow's name alone.
    """

    name: str
    path: str
    variable: str
    kind: str
    native: bool
    made: Location | None


class Layers:
    """`by_handle` knows the smallest layer that holds each variable that was asked about."""

    def __init__(self) -> None:
        self.by_handle: dict[int, Layer] = {}

    def names(self) -> set[str]:
        """The names of all layers that are alive."""
        from tensorwhy.adapters.keras_common import creations

        return {str(getattr(layer, "name", "")) for layer in creations.live(("layer", "model"))} - {""}

    def learn(self, handles: set[int]) -> None:
        """Look for the layers of these variables now."""
        from tensorwhy.adapters.keras_common import creations, packages
        from tensorwhy.adapters.keras_common.learning import frozen, training

        for generation in (2, 3):
            if not packages.imported(generation):
                continue
            owners = training.owners(generation)
            for handle in handles:
                owner = owners.get(handle)
                if owner is not None:
                    frozen.met(handle, owner)
                    self.by_handle[handle] = Layer(
                        name=str(getattr(owner, "name", "")),
                        path=str(getattr(owner, "path", "") or getattr(owner, "name", "")),
                        variable=training.path_of(owner, handle),
                        kind=type(owner).__name__,
                        native=packages.native(owner),
                        made=creations.made(owner),
                    )
