"""Merging layers that are called on several tensors, with and without a list around them."""

from keras import Input, layers


def one_after_the_other():
    left, right = Input((8,)), Input((8,))
    return layers.Multiply()(left, right)  # why: TW306


def by_the_name_of_the_layer():
    left, right = Input((8,)), Input((8,))
    join = layers.Concatenate(axis=-1)
    return join(layers.Dense(8)(left), right)  # why: TW306


def in_a_list():
    left, right = Input((8,)), Input((8,))
    return layers.Multiply()([left, right]), layers.Dot(axes=1)((left, right))


def attention_takes_them_so():
    left, right = Input((8, 4)), Input((8, 4))
    return layers.MultiHeadAttention(2, 4)(left, right)


def unknown_things(left, right):
    return layers.Add()(left, right)
