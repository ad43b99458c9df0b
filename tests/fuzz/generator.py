"""Random TensorFlow programs that ask for gradients, as source text: the same seed gives the same program.

Every tensor is a vector of three numbers, so that any operation can follow any other. A program is a function
`program()`; it asks with `gradient(tape, target, sources)`, which the harness provides. What a program asks may be
anything: sources that were never watched, targets that are integers, tapes that were closed, reset or paused.
"""

from __future__ import annotations

from fuzz.functions import Functions
from fuzz.lines import Scope
from fuzz.templates import HEADER, LAYERS


class Writer(Functions):
    """Writes one program."""

    def program(self) -> str:
        """The whole text."""
        self.add(0, "def program():")
        tensors, variables = [], []
        for i in range(self.random.randint(2, 3)):
            tensors.append(f"x{i}")
            self.add(1, f"x{i} = tf.constant([0.3, 0.{4 + i}, 0.9])")
        for i in range(self.random.randint(1, 3)):
            variables.append(f"v{i}")
            options = ", trainable=False" if self.random.random() < 0.2 else ""
            self.add(1, f"v{i} = tf.Variable([0.5, 0.{2 + i}, 0.7]{options})")
        if self.random.random() < 0.15:
            self.layers.append("layer")
            self.add(1, f"layer = {self.random.choice(LAYERS)}")
            self.add(1, "layer.build([1, 3])")
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.function(list(variables))
        scope = Scope(tensors=tensors, variables=variables)
        self.body(1, scope, self.random.randint(0, 2), nested=False)
        for _ in range(self.random.randint(1, 2)):
            self.tape(1, scope)
        return HEADER + "\n".join(self.lines) + "\n"


def program(seed: int) -> str:
    """The source text of the program with this seed."""
    return Writer(seed).program()
