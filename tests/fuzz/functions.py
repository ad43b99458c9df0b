"""Traced functions, which hold everything else, and questions that only a graph can answer."""

from __future__ import annotations

from fuzz.lines import Scope
from fuzz.taping import Taping


class Functions(Taping):
    """Writes functions that the program calls."""

    def function(self, variables: list[str]) -> None:
        """A tf.function of two tensors, that may use variables of the program, with one to three outputs."""
        name = self.name("f")
        scope = Scope(tensors=["a", "b"], variables=variables, traced=True)
        self.add(1, "@tf.function")
        self.add(1, f"def {name}(a, b):")
        self.body(2, scope, self.random.randint(1, 4), nested=False)
        kind = self.random.random()
        if kind < 0.25:
            self.tape(2, scope)
        elif kind < 0.45:
            self.graph_question(scope)
        outputs = self.random.choice([1, 1, 2, 3])
        returned = [self.pick(scope.tensors) for _ in range(outputs)]
        self.add(2, f"return {', '.join(returned)}")
        self.functions.append((name, outputs))

    def graph_question(self, scope: Scope) -> None:
        """A question without a tape: `tf.gradients` inside a traced function."""
        target, made = self.random.choice(scope.tensors[-3:]), self.name("y")
        pool = scope.tensors[:2] + scope.tensors[-4:] + scope.variables
        sources = self.random.sample(pool, min(len(pool), self.random.randint(1, 5)))
        options = self.random.choice(["", "", "", "stops", "old", "weighted", "zeros", "hessians"])
        if options == "stops":
            stops = self.random.sample(scope.tensors, min(len(scope.tensors), self.random.randint(1, 2)))
            options = f", stops=[{', '.join(stops)}]"
        elif options:
            options = f", how={options!r}"
        self.add(2, f"{made} = first(graph_gradients({target}, [{', '.join(sources)}]{options}), a)")
        scope.tensors.append(made)
