"""Targets that are computed where their tape does not record, and such that may be recorded."""

import tensorflow as tf


def the_loss_after_the_block(model, x, y):
    with tf.GradientTape() as tape:
        predicted = model(x)
    loss = tf.reduce_mean(tf.square(predicted - y))  # why: TW102
    return tape.gradient(loss, model.trainable_variables)


def the_mean_in_the_question(model, x):
    with tf.GradientTape() as tape:
        predicted = model(x)
    return tape.gradient(tf.reduce_mean(predicted), model.trainable_variables)  # why: TW102


def scaled_after_the_block(model, x, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(model(x))
    loss = loss / 8  # why: TW102
    return tape.gradient(loss, model.trainable_variables)


def before_the_block(v):
    loss = tf.reduce_sum(v)  # why: TW102
    with tf.GradientTape() as tape:
        other = v * v
    return tape.gradient(loss, v), other


def in_the_block(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    return tape.gradient(loss, model.trainable_variables)


def asked_in_the_block(model, x):
    with tf.GradientTape() as tape:
        predicted = model(x)
        found = tape.gradient(tf.reduce_mean(predicted), model.trainable_variables)
    return found


def taken_out_of_a_list(model, x):
    with tf.GradientTape() as tape:
        losses = [tf.reduce_mean(model(x))]
    loss = losses[0]
    return tape.gradient(loss, model.trainable_variables)


def handed_through_a_function(model, x, keep):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    loss = keep(loss)
    return tape.gradient(loss, model.trainable_variables)


def perhaps_lists(model, x, main, further):
    with tf.GradientTape() as tape:
        first, second = main(model(x)), further(model(x))
    losses = first + second
    return tape.gradient(losses, model.trainable_variables)


def scaled_for_the_next_turn(model, xs, loss_of):
    for x in xs:
        with tf.GradientTape() as tape:
            loss = loss_of(model(x))
        print(tape.gradient(loss, model.trainable_variables))
        loss = loss / 2


def scaled_on_one_way(model, x, loss_of, scaled):
    with tf.GradientTape() as tape:
        loss = loss_of(model(x))
    if scaled:
        loss = loss * 2
    return tape.gradient(loss, model.trainable_variables)


def the_second_derivative_after_the_block(model, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        u = model(x)
    slope = tape.gradient(u, x)  # why: TW102
    return tape.gradient(slope, x)


def the_second_derivative_of_a_part(w, b):
    with tf.GradientTape(persistent=True) as tape:
        z = w**3 * b**2
    slope, _ = tape.gradient(z, [w, b])  # why: TW102
    return tape.gradient(slope, b)


def the_second_derivative_of_one_in_a_list(w, b):
    with tf.GradientTape(persistent=True) as tape:
        z = w**3 * b**2
    slopes = tape.gradient(z, [w, b])  # why: TW102
    return tape.gradient(slopes[0], b)


def the_penalty_after_the_block(critic, x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            score = critic(x)
    slope = inner.gradient(score, x)  # why: TW102
    penalty = tf.reduce_mean(tf.square(slope))
    return tape.gradient(penalty, critic.trainable_variables)


def the_penalty_in_the_block(critic, x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            score = critic(x)
        slope = inner.gradient(score, x)
        penalty = tf.reduce_mean(tf.square(slope))
    return tape.gradient(penalty, critic.trainable_variables)


def the_second_derivative_in_the_block(model, x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        slope = tape.gradient(model(x), x)
    return tape.gradient(slope, x)


def a_gradient_that_hands_on_what_was_recorded(w, b):
    with tf.GradientTape(persistent=True) as tape:
        factor = b * 2.0
        z = tf.identity(w)
    slope = tape.gradient(z, w, output_gradients=factor)
    return tape.gradient(slope, b)


def a_sum_of_one_is_that_very_tensor(w, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x * w))
    total = tf.add_n([loss])
    return tape.gradient(total, w)


def a_stack_of_what_is_stacked_is_that_very_tensor(w, x):
    with tf.GradientTape() as tape:
        losses = tf.square(x * w)
    losses = tf.stack(losses)
    return tape.gradient(losses, w)


def what_is_real_stays_that_very_tensor(w, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x * w))
    loss = tf.math.real(loss)
    return tape.gradient(loss, w)


def a_dropout_of_nothing_gives_back_that_very_tensor(w, x, rate):
    with tf.GradientTape() as tape:
        features = x * w
    features = tf.nn.dropout(features, rate)
    return tape.gradient(features, w)
