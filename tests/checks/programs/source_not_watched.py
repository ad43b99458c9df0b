"""Sources that no tape can know of, and such that it may know of."""

import numpy as np
import tensorflow as tf

network = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])


def a_constant():
    x = tf.constant(3.0)  # why: TW101
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def beside_a_function_with_a_tape_of_its_own():
    x = tf.constant(3.0)  # why: TW101

    def slope(w):
        with tf.GradientTape() as tape:
            y = w * w
        return tape, y

    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x), slope


def an_array_in_a_list():
    x = np.ones(3, np.float32)  # why: TW101
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.square(x))
    return tape.gradient(y, [x])


def another_one_is_watched():
    x = tf.random.normal([2])  # why: TW101
    z = tf.zeros([2])
    with tf.GradientTape() as tape:
        tape.watch(z)
        y = x * z
    return tape.gradient(y, x)


def a_whole_number():
    x = tf.Variable(3)  # why: TW105
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def a_whole_constant():
    x = tf.constant(3)  # why: TW101, TW105
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def a_range_that_is_watched():
    x = tf.range(3)  # why: TW105
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def watched():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def watched_among_others(v):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, v])
        y = x * v
    return tape.gradient(y, x)


def perhaps_the_same_tensor_is_watched():
    a = tf.ones(3)
    x = tf.cast(a, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = x * x
    return tape.gradient(y, x)


def watched_under_another_name():
    x = tf.constant(3.0)
    also = x
    with tf.GradientTape() as tape:
        tape.watch(also)
        y = x * x
    return tape.gradient(y, x)


def watched_by_a_helper(watch_all):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        watch_all(tape, x)
        y = x * x
    return tape.gradient(y, x)


def a_variable():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def a_floating_point_number_in_spite_of_the_literal():
    x = tf.Variable(3, dtype=tf.float32)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def what_the_tape_recorded(a, v):
    with tf.GradientTape() as tape:
        hidden = tf.matmul(a, v)
        y = hidden * hidden
    return tape.gradient(y, hidden)


def a_parameter(x):
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def perhaps_a_variable(trained):
    x = tf.constant(3.0)
    if trained:
        x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


def a_variable_that_is_not_trained(v):
    scale = tf.Variable(2.0, trainable=False)  # why: TW101
    with tf.GradientTape() as tape:
        y = v * scale
    return tape.gradient(y, [v, scale])


def a_variable_that_is_not_trained_and_watched(v):
    scale = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(scale)
        y = v * scale
    return tape.gradient(y, [v, scale])


def a_tape_that_watches_nothing(model, x):
    with tf.GradientTape(watch_accessed_variables=False) as tape:  # why: TW101
        y = model(x)
    return tape.gradient(y, model.trainable_variables)


def a_tape_that_watches_what_it_is_told(model, x):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(model.trainable_variables)
        y = model(x)
    return tape.gradient(y, model.trainable_variables)


def a_tape_that_a_helper_tells(model, x, start):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        start(tape)
        y = model(x)
    return tape.gradient(y, model.trainable_variables)


def another_tape_of_the_name_is_handed_on(watch_all, v):
    x = tf.constant(3.0)  # why: TW101
    with tf.GradientTape() as tape:
        y = x * x
    first = tape.gradient(y, x)
    with tf.GradientTape() as tape:
        watch_all(tape)
        y = v * v
    return first, tape.gradient(y, v)


def handed_on_in_a_branch(watch_all, watches):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        if watches:
            watch_all(tape)
        y = x * x
    return tape.gradient(y, x)


def handed_to_a_function_that_is_made_here():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:

        def begin():
            tape.watch(x)

        begin()
        y = x * x
    return tape.gradient(y, x)


def watched_when_it_has_been_used():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)  # why: TW101
    return tape.gradient(y, x)


def watched_after_the_model():
    x = tf.random.normal((1, 4))
    with tf.GradientTape() as tape:
        scores = network(x)
        tape.watch(x)  # why: TW101
        best = scores[:, 0]
    return tape.gradient(best, x)


def watched_between_two_uses():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        tape.watch(x)
        z = y * x
    return tape.gradient(z, x)


def watched_after_what_may_be_the_same(prepared):
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        given = prepared(x)
        tape.watch(x)
        y = given * given
    return tape.gradient(y, x)


def watched_after_an_alias():
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        also = tf.cast(x, tf.float32)
        tape.watch(x)
        y = also * also
    return tape.gradient(y, x)


def watched_before_the_next_turn(steps):
    x = tf.constant([3.0])
    for _ in range(steps):
        with tf.GradientTape() as tape:
            y = x * x
            tape.watch(x)
            z = x + y
        print(tape.gradient(z, x))


def a_variable_that_nothing_uses(v):
    x = tf.Variable(3.0)  # why: TW115
    with tf.GradientTape() as tape:
        y = v * v
    return tape.gradient(y, [v, x])


def a_constant_that_nothing_uses(v):
    x = tf.constant(3)  # why: TW115
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = v * v
    return tape.gradient(y, x)


def a_variable_that_a_function_uses(loss_of):
    x = tf.Variable(3.0)

    def scaled():
        return x * 2.0

    with tf.GradientTape() as tape:
        y = loss_of(scaled)
    return tape.gradient(y, x)


def a_variable_with_two_names(loss_of):
    x = y = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = loss_of(y)
    return tape.gradient(z, x)


def zeros_are_asked_for():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x, unconnected_gradients=tf.UnconnectedGradients.ZERO)


def zeros_may_be_asked_for(options, filled):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    return tape.gradient(y, x, **options), tape.jacobian(y, x, unconnected_gradients=filled)
