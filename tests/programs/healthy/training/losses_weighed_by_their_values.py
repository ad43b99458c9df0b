"""Values taken out of TensorFlow on purpose: losses over their own values, weights, targets and advantages in NumPy."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(97)
rng = np.random.default_rng(0)
net = keras.Sequential([keras.Input((5,)), layers.Dense(12, "relu"), layers.Dense(3)])
opt = keras.optimizers.Adam(1e-2)
past = [np.ones(3), np.ones(3)]
for step in range(6):
    x = tf.constant(rng.normal(size=(16, 5)).astype("float32"))
    weights = 3 * np.exp(past[-1] / past[-2] / 2.0)
    weights = (weights / weights.sum()).astype("float32")
    with tf.GradientTape() as tape:
        out = net(x)
        losses = [tf.reduce_mean((out[:, i] - tf.sin((i + 1) * x[:, i])) ** 2) for i in range(3)]
        loss = sum(w * l for w, l in zip(weights, losses)) + sum(l / (l.numpy() + 1e-8) for l in losses) * 0.1
    opt.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    past.append(np.array([float(l) for l in losses]))
print(f"{float(loss):.4f}")

q, target_q = (keras.Sequential([keras.Input((4,)), layers.Dense(8, "relu"), layers.Dense(2)]) for _ in range(2))
target_q.set_weights(q.get_weights())
for step in range(5):
    s, s2 = (rng.normal(size=(8, 4)).astype("float32") for _ in range(2))
    a, r, done = rng.integers(0, 2, 8), rng.normal(size=8).astype("float32"), rng.random(8) < 0.2
    with tf.GradientTape() as tape:
        values = q(s)
        goal = values.numpy()
        best = np.argmax(q(s2).numpy(), 1)
        future = target_q(s2).numpy()[np.arange(8), best]
        goal[np.arange(8), a] = r + 0.95 * future * ~done
        priority = np.abs(goal - values.numpy()).max(1) + 0.1
        importance = (priority / priority.sum() * 8) ** -0.4
        loss = tf.reduce_mean(importance.astype("float32")[:, None] * (values - goal) ** 2)
    opt2 = keras.optimizers.SGD(0.05)
    opt2.apply_gradients(zip(tape.gradient(loss, q.trainable_variables), q.trainable_variables))
    if step % 2:
        target_q.set_weights([0.5 * t + 0.5 * w for t, w in zip(target_q.get_weights(), q.get_weights())])
print(f"{float(loss):.4f}")

logits = tf.Variable(tf.zeros(3))
for step in range(4):
    with tf.GradientTape() as tape:
        action = tf.random.categorical(logits[None], 6)[0]
        log_p = tf.gather(tf.nn.log_softmax(logits), action)
        cost = tf.gather(tf.constant([1.0, 0.2, 0.7]), action)
        magic = tf.exp(log_p - tf.stop_gradient(log_p))
        loss = tf.reduce_mean(magic * cost) + tf.reduce_mean((1 - magic) * float(tf.reduce_mean(cost)))
    logits.assign_sub(tape.gradient(loss, logits))
print(logits.numpy().round(3))

generator = keras.Sequential([keras.Input((2,)), layers.Dense(6, "relu"), layers.Dense(2)])
replay = []
for step in range(5):
    with tf.GradientTape() as tape:
        out = generator(tf.random.normal((8, 2)))
        replay.append(out.numpy())
        if len(replay) > 2:
            old = replay.pop(rng.integers(0, len(replay)))
        else:
            old = replay[0]
        scale = max(1.0, float(tf.reduce_max(tf.abs(out))))
        diverse = tf.reduce_mean(tf.exp(-tf.reduce_sum((out[:, None] - old[None]) ** 2, -1)))
        loss = tf.reduce_mean((tf.norm(out, axis=1) / scale - 0.5) ** 2) + 0.1 * diverse
        if np.isnan(loss.numpy()):
            raise SystemExit("diverged")
    for v, g in zip(generator.trainable_variables, tape.gradient(loss, generator.trainable_variables)):
        v.assign_sub(0.1 * np.clip(g.numpy(), -1, 1))
print(f"{float(loss):.4f}")
