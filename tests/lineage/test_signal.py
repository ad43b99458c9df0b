"""The signal walk over a toy computation: scalars and lists, and no framework."""

from __future__ import annotations

import math
import tracemalloc

from support.toys import LOSS, MASK, RATIO, H, Toy, W, X, numbers
from tensorwhy.lineage.signal import Node, Walk
from tensorwhy.lineage.signal_reasons import read


def product(mask: list[float]) -> Toy:
    """`loss = sum(x * mask)`."""
    return Toy(
        [Node("Mul", "multiply", (X, MASK), (H,)), Node("Sum", "reduce", (H,), (LOSS,))],
        {X: [1.0, 2.0], MASK: mask, H: [0.0, 0.0], LOSS: [0.0]},
        {H: [1.0, 1.0], X: mask, LOSS: [1.0]},
        {(1, 0): [1.0, 1.0], (0, 0): mask},
    )


def test_a_flowing_gradient_breaks_nowhere() -> None:
    assert Walk(product([1.0, 0.5]), [X]).breaks() == []


def test_a_product_with_zeros_is_where_the_gradient_breaks() -> None:
    toy = product([0.0, 0.0])
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert (found.node, found.position, found.state) == (0, 0, "zero")
    assert read(toy, walk, found).why == "other-zero"


def test_zeros_are_followed_to_what_made_them() -> None:
    toy = product([0.0, 0.0])
    toy.nodes = [Node("OneHot", "index", (7,), (8,)), Node("Reshape", "move", (8,), (MASK,)), *toy.nodes]
    toy._values |= {7: numbers([12.0, 15.0]), 8: numbers([0.0, 0.0])}
    toy._passed = {(at + 2, position): each for (at, position), each in toy._passed.items()}
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert read(toy, walk, found).zeros == 0


def test_ways_that_cancel_break_at_the_value_that_they_share() -> None:
    toy = Toy(
        [
            Node("Neg", "move", (X,), (H,)),
            Node("AddV2", "add", (X, H), (LOSS,)),
        ],
        {X: [3.0], H: [-3.0], LOSS: [0.0]},
        {X: [0.0], H: [1.0], LOSS: [1.0]},
        {(0, 0): [-1.0], (1, 0): [1.0], (1, 1): [1.0]},
    )
    (found,) = Walk(toy, [X]).breaks()
    assert found.cancelled


def test_ways_that_cancel_are_joined_where_the_last_of_them_comes_in() -> None:
    toy = Toy(
        [
            Node("Mul", "multiply", (X, W), (H,)),
            Node("Mul", "multiply", (X, W), (MASK,)),
            Node("RealDiv", "divide", (H, MASK), (RATIO,)),
            Node("Sum", "reduce", (RATIO,), (LOSS,)),
        ],
        {X: [3.0], W: [2.0], H: [6.0], MASK: [6.0], RATIO: [1.0], LOSS: [1.0]},
        {X: [0.0], H: [0.2], MASK: [-0.2], RATIO: [1.0], LOSS: [1.0]},
        {(0, 0): [0.4], (1, 0): [-0.4], (2, 0): [0.2], (2, 1): [-0.2], (3, 0): [1.0]},
    )
    (found,) = Walk(toy, [X]).breaks()
    assert (found.cancelled, found.joined) == (True, 2)


def test_a_closed_way_beside_ways_that_cancel_is_not_what_is_missing() -> None:
    toy = Toy(
        [
            Node("Neg", "move", (X,), (H,)),
            Node("Relu", "rectify", (X,), (MASK,)),
            Node("AddN", "add", (X, H, MASK), (LOSS,)),
        ],
        {X: [-3.0], H: [3.0], MASK: [0.0], LOSS: [0.0]},
        {X: [0.0], H: [1.0], MASK: [1.0], LOSS: [1.0]},
        {(0, 0): [-1.0], (1, 0): [0.0], (2, 0): [1.0], (2, 1): [1.0], (2, 2): [1.0]},
    )
    (found,) = Walk(toy, [X]).breaks()
    assert found.cancelled


def test_what_rounding_leaves_of_a_sum_counts_as_zero() -> None:
    toy = Toy(
        [Node("Softmax", "normalize", (X,), (H,)), Node("Sum", "reduce", (H,), (LOSS,))],
        {X: [3.0], H: [0.99999994], LOSS: [0.99999994]},
        {X: [6e-8], H: [1.0], LOSS: [1.0]},
        {(0, 0): [6e-8], (1, 0): [1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert read(toy, walk, found).why == "one-element"


def test_a_gradient_that_is_small_but_no_rounding_flows() -> None:
    toy = Toy(
        [Node("Mul", "multiply", (X, W), (LOSS,))],
        {X: [3.0], W: [6e-8], LOSS: [1.8e-7]},
        {X: [6e-8], LOSS: [1.0]},
        {(0, 0): [6e-8]},
    )
    assert Walk(toy, [X]).state(X) == "flows"


def test_an_infinite_slope_behind_a_mask_is_where_a_nan_is_born() -> None:
    toy = Toy(
        [Node("Log", "steep", (X,), (H,)), Node("Select", "select", (MASK, H, W), (LOSS,))],
        {X: [0.0], H: [-math.inf], MASK: [0.0], W: [0.0], LOSS: [0.0]},
        {X: [math.nan], H: [0.0], LOSS: [1.0]},
        {(0, 0): [math.nan], (1, 1): [0.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert (found.node, found.state) == (0, "non-finite")
    assert read(toy, walk, found).why == "masked-infinity"


def test_of_a_loss_that_is_nan_the_first_such_value_is_blamed() -> None:
    toy = Toy(
        [Node("RealDiv", "divide", (X, W), (H,)), Node("Sum", "reduce", (H,), (LOSS,))],
        {X: [0.0], W: [0.0], H: [math.nan], LOSS: [math.nan]},
        {X: [math.inf], W: [math.nan], H: [1.0], LOSS: [1.0]},
        {(0, 0): [math.inf], (0, 1): [math.nan], (1, 0): [1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert found.node == 0 and read(toy, walk, found).why == "undefined"


def test_an_operation_on_every_way_makes_a_closed_branch_beside_it_no_news() -> None:
    toy = Toy(
        [
            Node("Mul", "multiply", (X, MASK), (H,)),
            Node("Select", "select", (W, H, 9), (6,)),
            Node("AddV2", "add", (H, 6), (LOSS,)),
        ],
        {X: [1.0], MASK: [0.0], H: [0.0], W: [0.0], 9: [0.0], 6: [0.0], LOSS: [0.0]},
        {X: [0.0], H: [1.0], 6: [1.0], LOSS: [1.0]},
        {(0, 0): [0.0], (1, 1): [0.0], (2, 0): [1.0], (2, 1): [1.0]},
    )
    (found,) = Walk(toy, [X]).breaks()
    assert found.node == 0


def test_where_a_concatenation_hands_a_zero_part_on_the_branch_that_took_that_part_is_blamed() -> None:
    rounded, other = 8, 9
    toy = Toy(
        [
            Node("ConcatV2", "move", (X, W), (H,)),
            Node("Floor", "round", (H,), (rounded,)),
            Node("StridedSlice", "move", (H,), (other,)),
            Node("AddV2", "add", (rounded, other), (LOSS,)),
        ],
        {X: [0.3], W: [2.0], H: [0.3, 2.0], rounded: [0.0, 2.0], other: [2.0], LOSS: [4.0]},
        {X: [0.0], W: [1.0], H: [0.0, 1.0], rounded: [1.0, 1.0], other: [1.0], LOSS: [1.0]},
        {
            (0, 0): [0.0],
            (0, 1): [1.0],
            (1, 0): [0.0, 0.0],
            (2, 0): [0.0, 1.0],
            (3, 0): [1.0, 1.0],
            (3, 1): [1.0],
        },
    )
    assert [(each.node, each.sources) for each in Walk(toy, [X, W]).breaks()] == [(1, frozenset({X}))]


def test_where_the_part_goes_into_what_has_no_gradient_that_is_blamed() -> None:
    counted, other = 8, 9
    toy = Toy(
        [
            Node("ConcatV2", "move", (X, W), (H,)),
            Node("Greater", "compare", (H,), (counted,)),
            Node("StridedSlice", "move", (H,), (other,)),
            Node("AddV2", "add", (counted, other), (LOSS,)),
        ],
        {X: [0.3], W: [2.0], H: [0.3, 2.0], counted: [0.0, 2.0], other: [2.0], LOSS: [4.0]},
        {X: [0.0], W: [1.0], H: [0.0, 1.0], counted: [1.0, 1.0], other: [1.0], LOSS: [1.0]},
        {(0, 0): [0.0], (0, 1): [1.0], (2, 0): [0.0, 1.0], (3, 0): [1.0, 1.0], (3, 1): [1.0]},
    )
    assert [(each.node, each.sources) for each in Walk(toy, [X, W]).breaks()] == [(1, frozenset({X}))]


def test_a_part_that_nothing_takes_ends_at_its_concatenation() -> None:
    toy = Toy(
        [Node("ConcatV2", "move", (X, W), (H,)), Node("StridedSlice", "move", (H,), (LOSS,))],
        {X: [0.3], W: [2.0], H: [0.3, 2.0], LOSS: [2.0]},
        {X: [0.0], W: [1.0], H: [0.0, 1.0], LOSS: [1.0]},
        {(0, 0): [0.0], (0, 1): [1.0], (1, 0): [0.0, 1.0]},
    )
    assert [(each.node, each.sources) for each in Walk(toy, [X, W]).breaks()] == [(0, frozenset({X}))]


def test_data_that_are_nan_are_told_where_they_go_in() -> None:
    toy = Toy(
        [Node("Mul", "multiply", (X, W), (H,)), Node("Sum", "reduce", (H,), (LOSS,))],
        {X: [1.0], W: [math.nan], H: [math.nan], LOSS: [math.nan]},
        {X: [math.nan], H: [1.0], LOSS: [1.0]},
        {(0, 0): [math.nan], (1, 0): [1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert (found.node, found.position) == (0, 1) and read(toy, walk, found).why == "given"


def test_an_infinity_that_a_mask_puts_in_is_no_cause_of_its_own() -> None:
    bias = 9
    toy = Toy(
        [
            Node("where", "select", (MASK, X, bias), (H,)),
            Node("softmax", "normalize", (H,), (8,)),
            Node("sum", "reduce", (8,), (LOSS,)),
        ],
        {X: [3.0], MASK: [0.0], bias: [-math.inf], H: [-math.inf], 8: [math.nan], LOSS: [math.nan]},
        {X: [math.nan], H: [math.nan], 8: [1.0], LOSS: [1.0]},
        {(0, 1): [math.nan], (1, 0): [math.nan], (2, 0): [1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert found.node == 1
    assert read(toy, walk, found)[:2] == ("undefined", 0)


def test_an_infinity_that_a_mask_puts_in_is_told_where_it_meets_a_gradient_of_zero() -> None:
    fill, scale = 9, 10
    toy = Toy(
        [
            Node("where", "select", (MASK, X, fill), (H,)),
            Node("div", "divide", (H, scale), (8,)),
            Node("loss", "normalize", (8,), (LOSS,)),
        ],
        {
            X: [3.0, 1.0], MASK: [0.0, 1.0], fill: [-math.inf], H: [-math.inf, 1.0], scale: [0.5],
            8: [-math.inf, 2.0], LOSS: [1.0],
        },
        {X: [0.0, 1.0], H: [0.0, 2.0], scale: [math.nan], 8: [0.0, 1.0], LOSS: [1.0]},
        {(0, 1): [0.0, 1.0], (1, 0): [0.0, 2.0], (1, 1): [math.nan], (2, 0): [0.0, 1.0]},
    )  # fmt: skip
    walk = Walk(toy, [X, scale])
    (found,) = walk.breaks()
    assert (found.node, found.position) == (1, 1)
    assert read(toy, walk, found)[:2] == ("masked-infinity", 0)


def test_a_value_that_was_nan_before_is_followed_to_where_it_began() -> None:
    toy = Toy(
        [Node("div", "divide", (X, W), (H,)), Node("loss", "", (H,), (LOSS,))],
        {X: [0.0, 1.0], W: [0.0, 1.0], H: [math.nan, 1.0], LOSS: [1.0]},
        {X: [math.nan, 1.0], H: [math.nan, 1.0], LOSS: [1.0]},
        {(0, 0): [math.nan, 1.0], (1, 0): [math.nan, 1.0]},
    )
    walk = Walk(toy, [X])
    (found,) = walk.breaks()
    assert (found.node, read(toy, walk, found).why) == (0, "undefined")


def test_a_deep_model_takes_no_memory_for_each_pair_of_a_value_and_a_source() -> None:
    layers = 1_000
    values, weights = range(layers + 1), range(10_000, 10_000 + layers)
    toy = Toy(
        [Node("Mul", "multiply", (at, weights[at]), (at + 1,)) for at in range(layers)],
        {key: [1.0] for key in (*values, *weights)},
        {key: [0.0 if key >= 10_000 or key < layers else 1.0] for key in (*values, *weights)},
        {(at, position): [0.0] for at in range(layers) for position in (0, 1)},
    )
    toy.targets = (layers,)
    tracemalloc.start()
    found = Walk(toy, weights).breaks()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(each.node, each.position, len(each.sources)) for each in found] == [
        (layers - 1, 0, layers - 1),
        (layers - 1, 1, 1),
    ]
    assert peak < 16 << 20
