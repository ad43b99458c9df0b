"""Unit tests of a small library: gradients that have to be None, and optimizers that have to refuse them."""

import unittest

import numpy as np
import tensorflow as tf


def quantise(values):
    return tf.stop_gradient(tf.round(values * 4.0) / 4.0)


class MissingGradients(unittest.TestCase):
    def setUp(self):
        self.scale = tf.Variable(1.5)
        self.offset = tf.Variable(0.25)

    def gradients(self, function, *sources):
        with tf.GradientTape() as tape:
            target = function()
        return tape.gradient(target, sources)

    def test_quantised_values_stop_the_gradient(self):
        with tf.GradientTape() as tape:
            loss = quantise(self.scale) * 2.0
        self.assertEqual(tape.gradient(loss, self.scale), None)

    def test_only_the_used_variable_has_one(self):
        used, unused = self.gradients(lambda: self.scale**2, self.scale, self.offset)
        assert used is not None and unused is None

    def test_frozen_features_train_nothing(self):
        features = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)])
        inputs = tf.ones((2, 4))
        features(inputs)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.stop_gradient(features(inputs)))
        grads = tape.gradient(loss, features.trainable_variables)
        self.assertTrue(all(grad is None for grad in grads))
        self.assertFalse(any(grad is not None for grad in grads))

    def test_a_constant_has_no_gradient(self):
        with tf.GradientTape() as tape:
            target = tf.constant(1.0)
        np.testing.assert_equal(tape.gradient(target, self.offset), None)

    def test_a_pair_by_value(self):
        self.assertEqual([None, None], list(self.gradients(lambda: tf.constant(3.0), self.scale, self.offset)))


class Refusals(unittest.TestCase):
    def setUp(self):
        self.weight = tf.Variable(1.0)
        self.optimizer = tf.keras.optimizers.SGD()

    def test_a_step_without_any_gradient(self):
        with tf.GradientTape() as tape:
            loss = tf.constant(1.0)
        grads = tape.gradient(loss, [self.weight])
        with self.assertRaisesRegex(ValueError, "gradients"):
            self.optimizer.apply_gradients(zip(grads, [self.weight]))

    def test_a_step_given_as_a_function(self):
        def step():
            with tf.GradientTape() as tape:
                loss = tf.constant(1.0)
            self.optimizer.apply_gradients(zip(tape.gradient(loss, [self.weight]), [self.weight]))

        self.assertRaises(ValueError, step)

    def test_a_model_that_stops_everything(self):
        model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Lambda(tf.stop_gradient)])
        model.compile("sgd", "mse")
        with self.assertRaises(ValueError):
            model.fit(np.ones((4, 3)), np.ones((4, 2)), verbose=0)


result = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromName("__main__"))
assert result.wasSuccessful()
print(result.testsRun, "tests")
