import tensorflow as tf

slope = tf.Variable(0.0)
offset = tf.Variable(0.0)
x = tf.linspace(0.0, 1.0, 20)
y = 3.0 * x + 1.0
for epoch in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((slope * x + offset - y) ** 2)
    d_slope, d_offset = tape.gradient(loss, [slope, offset])
    slope = slope - 0.1 * d_slope  # why: TW112
    offset = offset - 0.1 * d_offset  # why: TW112
    print(epoch, float(loss))
