"""Optimizers that get gradients and variables the wrong way round or crossed, and such that get them as they belong."""

import tensorflow as tf

w, b = tf.Variable(0.5), tf.Variable(0.0)


def variables_first(model, optimizer, loss_of, x):
    with tf.GradientTape() as tape:
        loss = loss_of(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(model.trainable_variables, gradients))  # why: TW121


def variables_first_in_pairs(optimizer, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(w, b)
    slope, offset = tape.gradient(loss, [w, b])
    optimizer.apply_gradients([(w, slope), (b, offset)])  # why: TW121


def variables_first_by_a_name(variables, optimizer, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(variables)
    pairs = list(zip(variables, tape.gradient(loss, variables)))
    optimizer.apply_gradients(pairs)  # why: TW121


def another_order(optimizer, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(w, b)
    gradients = tape.gradient(loss, [w, b])
    optimizer.apply_gradients(zip(gradients, [b, w]))  # why: TW121


def another_order_of_names(optimizer, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(w, b)
    offset, slope = tape.gradient(loss, [w, b])
    optimizer.apply_gradients([(slope, w), (offset, b)])  # why: TW121


def each_gets_those_of_the_other(maker, judge, optimizers, losses):
    with tf.GradientTape() as making, tf.GradientTape() as judging:
        made, judged = losses(maker, judge)
    of_maker = making.gradient(made, maker.trainable_variables)
    of_judge = judging.gradient(judged, judge.trainable_variables)
    optimizers[0].apply_gradients(zip(of_maker, judge.trainable_variables))  # why: TW121
    optimizers[1].apply_gradients(zip(of_judge, maker.trainable_variables))  # why: TW121


def as_they_belong(model, optimizer, loss_of, x):
    with tf.GradientTape() as tape:
        loss = loss_of(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def pairs_as_they_belong(optimizer, loss_of):
    with tf.GradientTape() as tape:
        loss = loss_of(w, b)
    slope, offset = tape.gradient(loss, [w, b])
    optimizer.apply_gradients([(offset, b), (slope, w)])


def each_gets_its_own(maker, judge, optimizers, losses):
    with tf.GradientTape() as making, tf.GradientTape() as judging:
        made, judged = losses(maker, judge)
    of_maker = making.gradient(made, maker.trainable_variables)
    of_judge = judging.gradient(judged, judge.trainable_variables)
    optimizers[0].apply_gradients(zip(of_maker, maker.trainable_variables))
    optimizers[1].apply_gradients(zip(of_judge, judge.trainable_variables))


def the_gradients_of_a_worker(worker, shared, optimizer, loss_of, x):
    with tf.GradientTape() as tape:
        loss = loss_of(worker(x))
    gradients = tape.gradient(loss, worker.trainable_variables)
    optimizer.apply_gradients(zip(gradients, shared.trainable_variables))


def the_same_gradients_for_a_twin(model, twin, optimizer, loss_of, x):
    with tf.GradientTape(persistent=True) as tape:
        loss, other = loss_of(model(x)), loss_of(twin(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    norms = tape.gradient(other, twin.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    optimizer.apply_gradients(zip(gradients, twin.trainable_variables))
    return norms


def turned_round_by_a_helper(variables, optimizer, loss_of, turned):
    with tf.GradientTape() as tape:
        loss = loss_of(variables)
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(turned(zip(variables, gradients)))


def renamed_in_between(optimizer, loss_of, first, second):
    with tf.GradientTape() as tape:
        loss = loss_of(first, second)
    gradients = tape.gradient(loss, [first, second])
    first, second = second, first
    optimizer.apply_gradients(zip(gradients, [second, first]))


def expected_to_be_refused(self, model, optimizer, loss_of, x):
    with tf.GradientTape() as tape:
        loss = loss_of(model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    with self.assertRaises(AttributeError):
        optimizer.apply_gradients(zip(model.trainable_variables, gradients))


def gradients_alone(model, x, y):
    optimizer = tf.keras.optimizers.Adam(1e-3)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(gradients)  # why: TW121


def gradients_alone_for_an_agent(agent, model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    agent.apply_gradients(gradients)
