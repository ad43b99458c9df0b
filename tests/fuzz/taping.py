"""Statements that record and ask: tapes with all that is done to them, and accumulators of forward mode."""

from __future__ import annotations

from fuzz.computing import Choice, Computing
from fuzz.lines import Scope
from fuzz.templates import BINARY, CUTTING, QUESTIONS, UNARY


class Taping(Computing):
    """Writes tapes around what is computed, and questions to them."""

    def choices(self, nested: bool) -> list[Choice]:
        found = super().choices(nested)
        if nested:
            found += [
                (self.accumulator, 0.5),
                (self.watch, 0.8),
                (self.paused, 0.7),
                (self.reset, 0.4),
                (self.tape, 0.6),
                (self.matrix, 0.4),
            ]
        return found

    def watch(self, depth: int, scope: Scope) -> None:
        if scope.tapes:
            self.add(depth, f"{self.random.choice(scope.tapes)}.watch({self.operand(scope)})")

    def paused(self, depth: int, scope: Scope) -> None:
        if scope.tapes:
            self.add(depth, f"with {scope.tapes[-1]}.stop_recording():")
            # The innermost tape only: pausing another leaves the stack of tapes in another order.
            inner = scope.inner(tapes=[])
            self.operation(depth + 1, inner)
            self.body(depth + 1, inner, self.random.randint(0, 1), nested=False)
            self.keep(scope, inner)

    def reset(self, depth: int, scope: Scope) -> None:
        if scope.tapes and self.random.random() < 0.5:
            self.add(depth, f"{scope.tapes[-1]}.reset()")

    def matrix(self, depth: int, scope: Scope) -> None:
        """A matrix and what is computed from it row by row, for `batch_jacobian`."""
        source, made, target = self.name("m"), self.name("y"), self.name("m")
        self.add(depth, f"{source} = tf.reshape({self.operand(scope)}, [3, 1])")
        if scope.tapes and self.random.random() < 0.7:
            self.add(depth, f"{scope.tapes[-1]}.watch({source})")
        self.add(depth, f"{made} = {self.random.choice(UNARY[:12] + CUTTING).format(f'tf.reshape({source}, [3])')}")
        self.add(depth, f"{target} = tf.reshape({made}, [3, 1])")
        scope.matrices.append((target, source))

    def tape(self, depth: int, scope: Scope) -> None:
        """A tape, what it records, and questions: inside the `with`, or after it."""
        tape = self.name("t")
        options = []
        persistent = self.random.random() < 0.6
        if persistent:
            options.append("persistent=True")
        if self.random.random() < 0.2:
            options.append("watch_accessed_variables=False")
        self.add(depth, f"with tf.GradientTape({', '.join(options)}) as {tape}:")
        inner = scope.inner(tapes=[*scope.tapes, tape])
        if self.random.random() < 0.85:
            watched = self.random.choice([scope.tensors[:1], scope.tensors[:2], scope.tensors[:2], scope.tensors[-1:]])
            if self.random.random() < 0.5:
                watched.append(self.operand(inner))
            self.add(depth + 1, f"{tape}.watch([{', '.join(watched)}])")
            scope.watched = inner.watched = watched
        made = len(inner.tensors)
        self.operation(depth + 1, inner)
        self.body(depth + 1, inner, self.random.randint(1, 4))
        if persistent and self.random.random() < 0.2:
            self.question(depth + 1, inner, tape)
        self.keep(scope, inner)
        scope.watched = scope.watched + inner.tensors[made:]
        if self.random.random() < 0.2:
            self.operation(depth, scope)
        if self.random.random() < 0.08:
            # The same tape once more: what ran in between is not on it.
            self.add(depth, f"with {tape}:")
            again = scope.inner(tapes=[*scope.tapes, tape])
            self.operation(depth + 1, again)
            self.body(depth + 1, again, self.random.randint(0, 2))
            self.keep(scope, again)
        for _ in range(self.random.randint(1, 3) if persistent else 1):
            self.question(depth, scope, tape)

    def question(self, depth: int, scope: Scope, tape: str) -> None:
        self.questions += 1
        targets = [
            self.random.choice([scope.tensors[-1], *scope.tensors[-3:]])
            for _ in range(self.random.choice([1, 1, 1, 2]))
        ]
        if scope.integers and self.random.random() < 0.05:
            targets = [self.random.choice(scope.integers)]
        pool = scope.tensors[:2] + scope.tensors[-4:] + scope.variables + scope.integers
        if scope.watched and self.random.random() < 0.7:
            pool = scope.watched + scope.variables
        sources = self.random.sample(pool, min(len(pool), self.random.randint(1, 5)))
        if self.random.random() < 0.05:
            sources.append("SHARED")
        if self.layers and not scope.traced and self.random.random() < 0.5:
            sources += [f"*{name}.trainable_variables" for name in self.layers]
        target = targets[0] if len(targets) == 1 else f"[{', '.join(targets)}]"
        kind = self.random.choice(QUESTIONS) if len(targets) == 1 else "gradient"
        if kind == "zeros" and any(one.startswith("*") for one in sources):
            kind = "gradient"  # Keras 3 gives the names of dtypes, of which TensorFlow makes no zeros
        if kind == "weighted" and target in scope.integers:
            kind = "gradient"
        if scope.matrices:
            kind, (target, source) = "batch_jacobian", scope.matrices.pop()
            sources = [source]
        made = self.name("g")
        self.add(depth, f"{made} = {kind}({tape}, {target}, [{', '.join(sources)}])")
        if kind == "gradient" and self.random.random() < 0.5:
            follow = self.name("y")
            # Gradients are used further: for gradients of gradients.
            self.add(depth, f"{follow} = first({made}, {self.pick(scope.tensors)})")
            scope.tensors.append(follow)

    def accumulator(self, depth: int, scope: Scope) -> None:
        """Forward mode: an accumulator that watches one value, and asks for tangents of what was made from it."""
        made, primal = self.name("a"), self.operand(scope)
        many = self.random.random() < 0.15
        opened = f"batched({primal})" if many else f"tf.autodiff.ForwardAccumulator({primal}, tf.ones([3]))"
        self.add(depth, f"with {opened} as {made}:")
        inner = scope.inner(tapes=[], matrices=[])
        if not many and self.random.random() < 0.25:
            self._slope(depth + 1, inner, primal)
        for _ in range(self.random.randint(1, 3)):
            if self.functions and not scope.traced and not many and self.random.random() < 0.4:
                self.call(depth + 1, inner)
                continue
            self.add(depth + 1, f"{(name := self.name('y'))} = {self._forward(inner)}")
            inner.tensors.append(name)
        self.keep(scope, inner)
        if self.random.random() < 0.3:
            self.operation(depth, scope)
        for target in self.random.sample(scope.tensors[-3:], self.random.choice([1, 2])):
            self.add(depth, f"{(name := self.name('y'))} = first([tangent({made}, {target})], {target})")
            if not many and not scope.traced:
                scope.tensors.append(name)

    def _slope(self, depth: int, scope: Scope, primal: str) -> None:
        """A tape within: the tangent of a gradient is a product with the second derivatives."""
        tape, made, slope = self.name("t"), self.name("y"), self.name("y")
        self.add(depth, f"with tf.GradientTape() as {tape}:")
        self.add(depth + 1, f"{tape}.watch({primal})")
        self.add(depth + 1, f"{made} = {self.random.choice(UNARY[:12] + CUTTING[:4]).format(primal)}")
        self.add(depth, f"{slope} = first(gradient({tape}, {made}, [{primal}]), {made})")
        scope.tensors += [made, slope]

    def _forward(self, scope: Scope) -> str:
        kind = self.random.random()
        templates = CUTTING[:8] if kind < 0.15 else UNARY[:20] if kind < 0.6 else BINARY[:8]
        return self.random.choice(templates).format(self.operand(scope), self.operand(scope))
