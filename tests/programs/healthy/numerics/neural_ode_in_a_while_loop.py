"""A neural ODE: Runge-Kutta in tf.while_loop, gradients through it, and the adjoint method as a custom gradient."""

import tensorflow as tf

tf.keras.utils.set_random_seed(42)
w1 = tf.Variable(tf.random.normal((2, 8), stddev=0.3))
w2 = tf.Variable(tf.random.normal((8, 2), stddev=0.3))


def f(t, y):
    return tf.tanh(y @ w1) @ w2


def rk4(t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@tf.function
def integrate(y0, steps):
    h = 1.0 / tf.cast(steps, tf.float32)

    def body(i, t, y, saved):
        y = rk4(t, y, h)
        return i + 1, t + h, y, saved.write(i, y)

    saved = tf.TensorArray(tf.float32, size=steps)
    _, _, y, saved = tf.while_loop(lambda i, *_: i < steps, body, (0, 0.0, y0, saved))
    return y, saved.stack()


y0, goal = tf.constant([[1.0, 0.0]]), tf.constant([[0.0, 1.0]])
opt = tf.keras.optimizers.SGD(0.2)
losses = []
for _ in range(4):
    with tf.GradientTape() as tape:
        y, path = integrate(y0, tf.constant(5))
        loss = tf.reduce_sum((y - goal) ** 2) + 1e-3 * tf.reduce_sum(path**2)
    opt.apply_gradients(zip(tape.gradient(loss, [w1, w2]), [w1, w2]))
    losses.append(float(loss))
print(losses[-1] < losses[0])


@tf.custom_gradient
def odeint(y0):
    y = y0
    for i in range(5):
        y = rk4(i / 5, y, 0.2)
    end = y

    def grad(dy, variables=None):
        state, adjoint = end, dy
        totals = [tf.zeros_like(v) for v in variables]
        for i in reversed(range(5)):
            with tf.GradientTape() as tape:
                tape.watch(state)
                flow = f(i / 5, state)
            back = tape.gradient(flow, [state, *variables], output_gradients=adjoint)
            state = state - 0.2 * flow
            adjoint = adjoint + 0.2 * back[0]
            totals = [t + 0.2 * b for t, b in zip(totals, back[1:])]
        return adjoint, totals

    return end, grad


with tf.GradientTape() as tape:
    tape.watch(y0)
    loss = tf.reduce_sum((odeint(y0) - goal) ** 2)
dy, d1, d2 = tape.gradient(loss, [y0, w1, w2])
print(dy.shape, d1.shape, d2.shape)
