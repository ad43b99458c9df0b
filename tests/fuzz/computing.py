"""Statements that compute: operations, calls of functions and layers, branches and loops."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.lines import Lines, Scope
from fuzz.templates import BINARY, CUTTING, EAGER_ONLY, MAKE_INTEGERS, RAW, UNARY

Choice = tuple[Callable[[int, Scope], None], float]


class Computing(Lines):
    """Each method writes one or more lines at a depth, and adds to the scope what it made."""

    def operation(self, depth: int, scope: Scope) -> None:
        kind = self.random.random()
        made = self.name("y")
        if kind < 0.5:
            templates = CUTTING if kind < 0.08 else UNARY
            text = self.random.choice(templates).format(self.operand(scope))
        elif kind < 0.62 and RAW:
            name, inputs = self.random.choice(RAW)
            text = f"raw({name!r}, {self.random.randrange(inputs)}, {self.operand(scope)})"
        elif kind < 0.92 or scope.traced:
            text = self.random.choice(BINARY).format(self.operand(scope), self.operand(scope))
        else:
            text = self.random.choice(EAGER_ONLY).format(self.pick(scope.tensors))
        self.add(depth, f"{made} = {text}")
        (scope.variables if text.startswith("tf.Variable") else scope.tensors).append(made)

    def integers(self, depth: int, scope: Scope) -> None:
        made = self.name("i")
        self.add(depth, f"{made} = {self.random.choice(MAKE_INTEGERS).format(self.pick(scope.tensors))}")
        scope.integers.append(made)

    def assign(self, depth: int, scope: Scope) -> None:
        if scope.variables:
            variable, value = self.random.choice(scope.variables), self.pick(scope.tensors)
            method = self.random.choice(["assign", "assign_add", "assign_sub", "slice", "scatter"])
            if method == "slice":
                self.add(depth, f"{variable}[1:].assign({value}[1:])")
            elif method == "scatter":
                self.add(depth, f"{variable}.scatter_nd_update([[0]], {value}[:1])")
            else:
                self.add(depth, f"{variable}.{method}({value})")
        else:
            self.operation(depth, scope)

    def call(self, depth: int, scope: Scope) -> None:
        if not self.functions:
            self.operation(depth, scope)
            return
        function, outputs = self.random.choice(self.functions)
        made = [self.name("y") for _ in range(outputs)]
        self.add(depth, f"{', '.join(made)} = {function}({self.pick(scope.tensors)}, {self.pick(scope.tensors)})")
        scope.tensors.extend(made)

    def layer(self, depth: int, scope: Scope) -> None:
        if self.layers:
            made = self.name("y")
            self.add(depth, f"{made} = {self.random.choice(self.layers)}({self.pick(scope.tensors)}[None])[0]")
            scope.tensors.append(made)
        else:
            self.operation(depth, scope)

    def branch(self, depth: int, scope: Scope) -> None:
        """A Python `if` on a tensor: autograph makes it a cond inside tf.function."""
        made, test = self.name("y"), self.pick(scope.tensors)
        limit = self.random.choice(["-100.0", "100.0"])
        self.add(depth, f"if tf.reduce_sum({test}) > {limit}:")
        self.add(depth + 1, f"{made} = {self.random.choice(UNARY[:12]).format(self.operand(scope))}")
        self.add(depth, "else:")
        self.add(depth + 1, f"{made} = {self.random.choice(UNARY[:12]).format(self.operand(scope))}")
        scope.tensors.append(made)

    def loop(self, depth: int, scope: Scope) -> None:
        made = self.name("y")
        turns = self.random.choice(["range(2)", "tf.range(2)"])
        self.add(depth, f"{made} = {self.pick(scope.tensors)} * 1.0")
        self.add(depth, f"for _ in {turns}:")
        self.add(depth + 1, f"{made} = {made} * 0.5 + {self.operand(scope)}")
        scope.tensors.append(made)

    def choices(self, nested: bool) -> list[Choice]:
        """What may come next, with weights; blocks of their own only where they may be `nested`."""
        return [
            (self.operation, 10),
            (self.integers, 0.7),
            (self.assign, 0.8),
            (self.call, 2),
            (self.layer, 1),
            (self.branch, 0.7),
            (self.loop, 0.7),
        ]

    def body(self, depth: int, scope: Scope, length: int, nested: bool = True) -> None:
        for _ in range(length):
            statements, weights = zip(*self.choices(nested))
            self.random.choices(statements, weights)[0](depth, scope)
