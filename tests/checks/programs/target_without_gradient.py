"""Targets that hand on no gradient whatever the sources are, and such that hand on one."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import backend

labels = tf.one_hot([0, 2, 1], 3)
network = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
wide = tf.Variable(2.0)
measured = tf.keras.losses.MeanSquaredError()


def held_fixed(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.stop_gradient(model(x)))  # why: TW104
    return tape.gradient(loss, model.trainable_variables)


def held_fixed_by_keras(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(backend.stop_gradient(model(x)) ** 2)  # why: TW104
    return tape.gradient(loss, model.trainable_variables)


def the_share_of_what_is_right(model, x):
    with tf.GradientTape() as tape:
        scores = model(x)
        right = tf.equal(tf.argmax(scores, 1), tf.argmax(labels, 1))  # why: TW106
        loss = 1.0 - tf.reduce_mean(tf.cast(right, tf.float32))
    return tape.gradient(loss, model.trainable_variables)


def beyond_a_threshold(model, x):
    with tf.GradientTape() as tape:
        hard = tf.cast(model(x) > 0.5, tf.float32)  # why: TW106
        loss = tf.reduce_mean(tf.abs(hard - labels))
    return tape.gradient(loss, model.trainable_variables)


def one_or_the_other(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.where(model(x) > 0.5, 1.0, 0.0))  # why: TW108
    return tape.gradient(loss, model.trainable_variables)


def rounded_and_whole(model, x):
    with tf.GradientTape() as tape:
        steps = tf.round(model(x))  # why: TW106
        loss = tf.cast(steps, tf.int32)  # why: TW105
    return tape.gradient(loss, model.trainable_variables)


def whole_on_the_way(model, x):
    with tf.GradientTape() as tape:
        cents = tf.cast(model(x) * 100.0, tf.int32)  # why: TW105
        loss = tf.reduce_sum(tf.cast(cents, tf.float32) / 100.0)
    return tape.gradient(loss, [model.kernel])


def counted_by_numpy(model, x):
    with tf.GradientTape() as tape:
        loss = tf.convert_to_tensor(np.mean(model(x) - labels))  # why: TW110
    return tape.gradient(loss, model.trainable_variables)


def an_array_on_the_way(model, x):
    with tf.GradientTape() as tape:
        predicted = model(x).numpy()  # why: TW110
        loss = tf.reduce_mean(np.square(predicted - labels))
    return tape.gradient(loss, model.trainable_variables)


def a_number(model, x):
    with tf.GradientTape() as tape:
        loss = float(tf.reduce_mean(model(x)))  # why: TW110
    return tape.gradient(loss, model.trainable_variables)


def a_callback(model, x, measure):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.numpy_function(measure, [model(x)], tf.float32))  # why: TW111
    return tape.gradient(loss, model.trainable_variables)


def all_of_several(model, x):
    with tf.GradientTape() as tape:
        first, second = tf.round(model(x)), tf.round(model(-x))  # why: TW106
    return tape.gradient([first, second], model.trainable_variables)


def predicted_before_the_tape(x):
    predicted = network(x)  # why: TW102
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predicted - labels))
    return tape.gradient(loss, network.trainable_variables)


def predicted_before_each_tape(optimizer):
    batches = tf.data.Dataset.from_tensor_slices((tf.ones((8, 4)), tf.ones((8, 3)))).batch(4)
    for x, y in batches:
        predicted = network(x, training=True)  # why: TW102
        with tf.GradientTape() as tape:
            loss = measured(y, predicted)
        gradients = tape.gradient(loss, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables))


def computed_before_the_tape():
    scaled = wide * labels  # why: TW102
    moved = scaled + 1.0
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.mse(labels, moved)
    return tape.gradient(loss, wide)


def predicted_as_an_array(x):
    with tf.GradientTape() as tape:
        predicted = network.predict(x)  # why: TW110
        loss = measured(labels, predicted)
    return tape.gradient(loss, network.trainable_variables)


def predicted_in_the_block(x):
    before = network(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(x) - before))
    return tape.gradient(loss, network.trainable_variables)


def a_prediction_that_is_watched(x):
    predicted = network(x)
    with tf.GradientTape() as tape:
        tape.watch(predicted)
        loss = tf.reduce_mean(tf.square(predicted - labels))
    return tape.gradient(loss, predicted)


def predicted_and_measured_by_another(x, loss_of):
    predicted = network(x)
    with tf.GradientTape() as tape:
        loss = loss_of(labels, predicted)
    return tape.gradient(loss, network.trainable_variables)


def a_target_that_may_be_a_variable(x, y):
    predicted = network(x)
    with tf.GradientTape() as tape:
        loss = measured(y, predicted)
    return tape.gradient(loss, network.trainable_variables)


def predicted_by_a_stranger(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model.predict(x))
    return tape.gradient(loss, model.trainable_variables)


def a_part_is_held_fixed(model, x):
    with tf.GradientTape() as tape:
        values = model(x)
        loss = tf.reduce_mean(values * tf.stop_gradient(values))
    return tape.gradient(loss, model.trainable_variables)


def straight_through(model, x):
    with tf.GradientTape() as tape:
        values = model(x)
        hard = values + tf.stop_gradient(tf.round(values) - values)
        loss = tf.reduce_mean(hard)
    return tape.gradient(loss, model.trainable_variables)


def perhaps_a_variable(model, x, scale):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(scale * tf.round(model(x)))
    return tape.gradient(loss, model.trainable_variables)


def the_rounded_value_is_the_source(model, x):
    with tf.GradientTape() as tape:
        steps = tf.round(model(x))
        tape.watch(steps)
        loss = steps * 2.0
    return tape.gradient(loss, steps)


def the_rounded_value_is_among_the_sources(model, x, w):
    with tf.GradientTape() as tape:
        steps = tf.round(model(x))
        tape.watch(steps)
        loss = steps * 2.0
    sources = [w, steps]
    return tape.gradient(loss, sources)


def the_fixed_value_is_kept(self, x):
    with tf.GradientTape() as tape:
        fixed = tf.stop_gradient(x)
        tape.watch(fixed)
        self.fixed = fixed
        loss = fixed * 2.0
    return tape.gradient(loss, self.fixed)


def the_fixed_value_is_put_into_a_list(x, found):
    with tf.GradientTape() as tape:
        fixed = tf.stop_gradient(x)
        tape.watch(fixed)
        found.append(fixed)
        loss = fixed * 2.0
    return tape.gradient(loss, found)


def fixed_in_one_way(model, x, fixed):
    with tf.GradientTape() as tape:
        loss = model(x)
        if fixed:
            loss = tf.stop_gradient(loss)
    return tape.gradient(loss, model.trainable_variables)


def only_the_choice_is_fixed(model, x):
    with tf.GradientTape() as tape:
        scores = model(x)
        chosen = tf.one_hot(tf.argmax(scores, 1), 3)
        loss = tf.reduce_sum(scores * chosen)
    return tape.gradient(loss, model.trainable_variables)


def chosen_by_a_threshold(model, x):
    with tf.GradientTape() as tape:
        values = model(x)
        loss = tf.reduce_mean(tf.where(values > 0.0, values, 0.1 * values))
    return tape.gradient(loss, model.trainable_variables)


def the_sign_has_zeros(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.sign(model(x)))
    return tape.gradient(loss, model.trainable_variables)


def shown_as_a_number(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
        print(float(loss), loss.numpy())
    return tape.gradient(loss, model.trainable_variables)


def added_up_by_python(model, xs):
    with tf.GradientTape() as tape:
        losses = [tf.round(model(xs[0]))]
        losses.append(model(xs[1]))
        loss = tf.add_n(losses)
    return tape.gradient(loss, model.trainable_variables)


def zeros_are_asked_for(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.stop_gradient(model(x)))
    return tape.gradient(loss, model.trainable_variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)


@tf.function
def fails_while_it_is_traced(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)).numpy()
    return tape.gradient(loss, model.trainable_variables)
