"""Loops that give a variable's name to a tensor, and such that leave it a variable or watch what it is."""

import tensorflow as tf

x, y = tf.constant([1.0, 2.0]), tf.constant([2.0, 4.0])


def by_arithmetic(rate):
    w, b = tf.Variable(0.5), tf.Variable(0.0)
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x + b - y) ** 2)
        slope, offset = tape.gradient(loss, [w, b])
        w = w - rate * slope  # why: TW112
        b = b - rate * offset  # why: TW112
    return w, b


def both_in_one_statement(rate, steps):
    w, b = tf.Variable(0.5), tf.Variable(0.0)
    while steps > 0:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x + b - y) ** 2)
        slope, offset = tape.gradient(loss, (w, b))
        w, b = w - rate * slope, b - rate * offset  # why: TW112
        steps -= 1
    return w, b


def clipped(rate, steps):
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = tf.clip_by_value(w - rate * tape.gradient(loss, w), 0.0, 1.0)  # why: TW112
    return w


def by_way_of_another_name(rate, steps):
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        moved = w - rate * tape.gradient(loss, w)
        w = moved  # why: TW112
        if loss < 1e-3:
            break
    return w


def what_an_assignment_returns(rate, steps):
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w.assign_sub(rate * tape.gradient(loss, w))  # why: TW112
    return w


def a_list_of_variables(rate, steps):
    weights = [tf.Variable(0.5), tf.Variable(0.0)]
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((weights[0] * x + weights[1] - y) ** 2)
        gradients = tape.gradient(loss, weights)
        weights = [weight - rate * gradient for weight, gradient in zip(weights, gradients)]  # why: TW112
    return weights


def one_name_for_many_things(rate, steps):
    w = tf.constant(3.0)
    print(w)
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w - rate * tape.gradient(loss, w)  # why: TW112
    w = tf.Variable(w)
    return w


def a_variable_again_behind_an_inner_loop(rate, steps):
    w = tf.Variable(0.5)
    for _ in range(steps):
        for turn in range(1):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x - y) ** 2)
            w = w - rate * tape.gradient(loss, w)
        w = tf.Variable(w)
    return w


def changed_in_place(rate):
    w = tf.Variable(0.5)
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w.assign_sub(rate * tape.gradient(loss, w))
    return w


def a_new_variable_each_turn(rate):
    w = tf.Variable(0.5)
    for _ in range(100):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = tf.Variable(w - rate * tape.gradient(loss, w))
    return w


def watched(rate):
    w = tf.Variable(0.5)
    for _ in range(100):
        with tf.GradientTape() as tape:
            tape.watch(w)
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w - rate * tape.gradient(loss, w)
    return w


def one_turn(rate):
    w = tf.Variable(0.5)
    for _ in range(1):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w - rate * tape.gradient(loss, w)
    return w


def ends_in_its_first_turn(rate):
    w = tf.Variable(0.5)
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w - rate * tape.gradient(loss, w)
        break
    return w


def overwritten_on_one_way(rate, steps, last):
    w = tf.Variable(0.5)
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        slope = tape.gradient(loss, w)
        if step == last:
            w = w - rate * slope
    return w


def recorded_by_the_tape(steps):
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            w = w * 2.0
            loss = tf.reduce_mean((w * x - y) ** 2)
        print(tape.gradient(loss, w))


def asked_before_the_loop(rate, steps):
    w = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((w * x - y) ** 2)
    slope = tape.gradient(loss, w)
    for _ in range(steps):
        w = w - rate * slope
    return w


def made_anew_for_each_start(rate, starts):
    for start in starts:
        w = tf.Variable(start)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = w - rate * tape.gradient(loss, w)
        print(w)


def perhaps_a_variable_again(rate, steps, updated):
    w = tf.Variable(0.5)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((w * x - y) ** 2)
        w = updated(w, rate, tape.gradient(loss, w))
    return w
