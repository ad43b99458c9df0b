"""What the numbers at a break say: weights that start at zero, values that are compared with themselves."""

from __future__ import annotations

from support.toys import LOSS, MASK, RATIO, H, Toy, W, X
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import Node, Walk
from tensorwhy.lineage.signal_reasons import compared, nulled, of_one_element, read, summed


def rectified(data: list[float], weights: list[float]) -> Toy:
    """`loss = sum(relu(data * w))`, which hands nothing back."""
    made = [each * weight for each, weight in zip(data, weights)]
    return Toy(
        [
            Node("Mul", "multiply", (MASK, W), (H,)),
            Node("Relu", "rectify", (H,), (RATIO,)),
            Node("Sum", "reduce", (RATIO,), (LOSS,)),
        ],
        {MASK: data, W: weights, H: made, RATIO: [max(each, 0.0) for each in made], LOSS: [0.0]},
        {W: [0.0, 0.0], H: [0.0, 0.0], RATIO: [1.0, 1.0], LOSS: [1.0]},
        {(0, 1): [0.0, 0.0], (1, 0): [0.0, 0.0], (2, 0): [1.0, 1.0]},
    )


def test_weights_of_zero_are_to_blame_for_a_rectifier_at_zero() -> None:
    toy = rectified([1.0, 2.0], [0.0, 0.0])
    walk = Walk(toy, [W])
    (found,) = walk.breaks()
    assert read(toy, walk, found)[:3] == ("initial", -1, W)


def test_data_of_zero_or_values_below_it_are_not_blamed_on_weights() -> None:
    for toy in (rectified([0.0, 0.0], [1.0, 1.0]), rectified([1.0, 2.0], [-1.0, -1.0])):
        walk = Walk(toy, [W])
        (found,) = walk.breaks()
        assert read(toy, walk, found).why == "rectified"


def squared(second: int, trait: str = "move") -> tuple[Toy, Walk]:
    """`loss = (x - y) ** 2`, of a value and itself, or of one and what is made of it."""
    toy = Toy(
        [
            Node("Mean", trait, (X,), (W,)),  # type: ignore[arg-type]
            Node("Sub", "add", (X, second), (H,)),
            Node("Square", "stationary", (H,), (LOSS,)),
        ],
        {X: [3.0], W: [3.0], H: [0.0], LOSS: [0.0]},
        {X: [0.0], W: [0.0], H: [0.0], LOSS: [1.0]},
        {(0, 0): [0.0], (1, 0): [0.0], (1, 1): [0.0], (2, 0): [0.0]},
    )
    return toy, Walk(toy, [X])


def test_a_value_that_is_compared_with_itself_is_found_behind_a_square() -> None:
    toy, walk = squared(X)
    (found,) = walk.breaks()
    assert read(toy, walk, found).why == "at-rest"
    assert compared(toy, walk, found) == 1


def test_a_value_and_its_own_mean_are_no_comparison_with_itself() -> None:
    toy, walk = squared(W, "reduce")
    (found,) = walk.breaks()
    assert compared(toy, walk, found) == -1


def test_a_sum_of_probabilities_is_where_they_cancel() -> None:
    toy = Toy(
        [
            Node("Softmax", "normalize", (X,), (H,)),
            Node("Neg", "move", (H,), (RATIO,)),
            Node("Sum", "reduce", (RATIO,), (LOSS,)),
        ],
        {X: [1.0, 2.0], H: [0.27, 0.73], RATIO: [-0.27, -0.73], LOSS: [-1.0]},
        {X: [0.0, 0.0], H: [-1.0, -1.0], RATIO: [1.0, 1.0], LOSS: [1.0]},
        {(0, 0): [0.0, 0.0], (1, 0): [-1.0, -1.0], (2, 0): [1.0, 1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert read(toy, walk, found).why == "balanced"
    assert summed(toy, walk, found.node) == 2


def test_a_target_that_stays_the_same_is_followed_to_what_makes_it_so() -> None:
    toy = Toy(
        [Node("CrossEntropy", "normalize", (X,), (H,)), Node("Mean", "reduce", (H,), (LOSS,))],
        {X: [3.0], H: [0.0], LOSS: [0.0]},
        {X: [1.0], H: [1.0], LOSS: [1.0]},
        {(0, 0): [1.0], (1, 0): [1.0]},
    )
    walk = Walk(toy, [X])
    assert walk.breaks() == []
    (found,) = walk.constant({H, LOSS})
    assert (found.node, read(toy, walk, found).why) == (0, "one-element")
    assert walk.constant({H}) == []


def test_what_is_learned_from_later_is_no_end() -> None:
    nodes = [Node("Relu", "rectify", (X,), (H,)), Node("Mul", "multiply", (H, W), (LOSS,))]
    ended = Executed(nodes, [LOSS], {}, {}, {}, [X], variables=frozenset({X}))
    goes_on = Executed(nodes, [LOSS], {}, {}, {}, [X], variables=frozenset({X, W}))
    assert ended.is_at_the_end(0) and not goes_on.is_at_the_end(0)


def clipped(trait: str, made: float) -> tuple[Toy, Walk]:
    """`loss = sum(clip(f(x)))`, of which the clip hands nothing back."""
    toy = Toy(
        [
            Node("F", trait, (X,), (H,)),  # type: ignore[arg-type]
            Node("Clip", "limit", (H,), (RATIO,), (0.1, 0.9)),
            Node("Sum", "reduce", (RATIO,), (LOSS,)),
        ],
        {X: [3.0], H: [made], RATIO: [0.9], LOSS: [0.9]},
        {X: [0.0], H: [0.0], RATIO: [1.0], LOSS: [1.0]},
        {(0, 0): [0.0], (1, 0): [0.0], (2, 0): [1.0]},
    )
    return toy, Walk(toy, [X])


def test_before_a_clip_a_normalization_over_one_element_is_to_blame() -> None:
    toy, walk = clipped("normalize", 1.0)
    (found,) = walk.breaks()
    assert read(toy, walk, found).why == "outside"
    behind = of_one_element(toy, walk, found)
    assert behind is not None
    assert (behind[0].node, behind[1].why) == (0, "one-element")


def test_before_a_clip_nothing_else_is_blamed() -> None:
    for trait in ("stationary", "rectify", "multiply", "cast", "round"):
        toy, walk = clipped(trait, 3.0)
        (found,) = walk.breaks()
        assert of_one_element(toy, walk, found) is None


def test_the_sum_of_what_was_centred_leaves_only_rounding() -> None:
    values = {X: [1.0, 3.0], W: [2.0], H: [-1.0, 1.0], RATIO: [-0.5, 0.5], LOSS: [1e-9]}
    nodes = [
        Node("Mean", "reduce", (X,), (W,)),
        Node("Sub", "add", (X, W), (H,)),
        Node("Mul", "multiply", (H,), (RATIO,)),
        Node("Mean", "reduce", (RATIO,), (LOSS,)),
    ]
    assert nulled(Toy(nodes, values, {}, {}), 1) == 3
    assert nulled(Toy(nodes, {**values, LOSS: [0.1]}, {}, {}), 1) == -1
