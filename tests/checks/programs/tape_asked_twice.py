"""A tape that is not persistent, and is asked again."""

import tensorflow as tf


def asked_by_two_methods(v, w):
    with tf.GradientTape() as tape:  # why: TW120
        y = v * w
    first = tape.gradient(y, v)
    return first, tape.jacobian(y, w)


def asked_twice_in_one_statement(v, w):
    with tf.GradientTape() as tape:  # why: TW120
        y = v * w
    first, second = tape.gradient(y, v), tape.gradient(y, w)
    return first, second


def asked_in_a_loop_that_goes_on(variables, model, x):
    with tf.GradientTape() as tape:  # why: TW120
        y = model(x)
    for variable in variables:
        print(tape.gradient(y, variable))


def asked_inside_and_after(v):
    with tf.GradientTape(False) as tape:  # why: TW120
        y = v * v
        first = tape.gradient(y, v)
    return first, tape.gradient(y, v)


def persistent(v, w):
    with tf.GradientTape(persistent=True) as tape:
        y = v * w
    return tape.gradient(y, v), tape.gradient(y, w)


def persistent_if_told(v, w, keep):
    with tf.GradientTape(persistent=keep) as tape:
        y = v * w
    return tape.gradient(y, v), tape.gradient(y, w)


def asked_once_on_each_way(v, w, first):
    with tf.GradientTape() as tape:
        y = v * w
    if first:
        found = tape.gradient(y, v)
    else:
        found = tape.gradient(y, w)
    return found


def asked_once_of_two(v, w, first):
    with tf.GradientTape() as tape:
        y = v * w
    return tape.gradient(y, v) if first else tape.gradient(y, w)


def opened_in_each_turn(variables, model, x):
    for variable in variables:
        with tf.GradientTape() as tape:
            y = model(x)
        print(tape.gradient(y, variable))


def opened_again(v, w):
    with tf.GradientTape() as tape:
        y = v * w
    first = tape.gradient(y, v)
    with tape:
        z = v * w
    return first, tape.gradient(z, w)


def another_tape_of_the_same_name(v, w):
    with tf.GradientTape() as tape:
        y = v * w
    first = tape.gradient(y, v)
    with tf.GradientTape() as tape:
        y = v * w
    return first, tape.gradient(y, w)


def expected_to_fail(v):
    with tf.GradientTape() as tape:
        y = v * v
    tape.gradient(y, v)
    try:
        tape.gradient(y, v)
    except RuntimeError as error:
        print(error)


def asked_in_a_loop_that_ends(variables, model, x):
    with tf.GradientTape() as tape:
        y = model(x)
    for variable in variables:
        if variable.trainable:
            print(tape.gradient(y, variable))
            break


def asked_in_one_turn_of_a_loop(variables, model, x, wanted):
    with tf.GradientTape() as tape:
        y = model(x)
    for variable in variables:
        if variable is wanted:
            print(tape.gradient(y, variable))


def asked_in_one_turn_by_an_expression(variables, model, x, wanted):
    with tf.GradientTape() as tape:
        y = model(x)
    for variable in variables:
        found = tape.gradient(y, variable) if variable is wanted else None
        print(found)


def asked_in_the_turns_that_are_not_passed_over(variables, model, x, wanted):
    with tf.GradientTape() as tape:
        y = model(x)
    for variable in variables:
        if variable is not wanted:
            continue
        print(tape.gradient(y, variable))


def asked_by_one_of_two_expressions(v, w, first):
    with tf.GradientTape() as tape:
        y = v * w
    of_v = tape.gradient(y, v) if first else None
    of_w = None if first else tape.gradient(y, w)
    return of_v, of_w


def asked_in_loops_of_one_turn(v):
    with tf.GradientTape() as tape:
        y = v * v
    for target, source in zip([y], [v]):
        found = tape.gradient(target, source)
    with tf.GradientTape() as tape:
        y = v * v
    for _ in range(1):
        found = tape.gradient(y, v)
    return found


def asked_until_it_is_done(v):
    with tf.GradientTape() as tape:
        y = v * v
    done = False
    while not done:
        print(tape.gradient(y, v))
        done = True


def asked_while_it_counts(v):
    with tf.GradientTape() as tape:  # why: TW120
        y = v * v
    step = 0
    while step < 3:
        print(tape.gradient(y, v))
        step += 1


def asked_for_two_that_are_listed(v, w):
    with tf.GradientTape() as tape:  # why: TW120
        y = v * w
    for name, source in zip(("v", "w"), (v, w)):
        print(name, tape.gradient(y, source))


def asked_for_those_that_are_chosen(v, w, chosen):
    with tf.GradientTape() as tape:
        y = v * w
    found = [tape.gradient(y, each) for each in chosen]
    return found or tape.gradient(y, v)


def asked_of_one_thing_or_another(v, w, first):
    with tf.GradientTape() as tape:  # why: TW120
        y = v * w
    found = tape.gradient(y, v if first else w)
    return found, tape.gradient(y, w)


def two_tapes_of_one_name(v):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as tape:  # why: TW118
            y = v * v * v
        first = tape.gradient(y, v)
    return tape.gradient(first, v)


def second_tape_of_one_with(v, w):
    with tf.GradientTape() as v_tape, tf.GradientTape() as w_tape:  # why: TW120
        y = v * w
    return v_tape.gradient(y, v), w_tape.gradient(y, w), w_tape.gradient(y, v)


def each_tape_of_one_with(v, w):
    with tf.GradientTape() as v_tape, tf.GradientTape() as w_tape:
        y = v * w
    return v_tape.gradient(y, v), w_tape.gradient(y, w)
