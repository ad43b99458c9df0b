import tensorflow as tf

encoder = tf.keras.layers.Dense(4)
decoder = tf.keras.layers.Dense(6)
data = tf.random.normal([8, 6])
optimizer = tf.keras.optimizers.Adam(0.01)
for epoch in range(2):
    with tf.GradientTape() as tape:
        code = tf.Variable(encoder(data))  # why: TW113
        restored = decoder(code)
        loss = tf.reduce_mean(tf.square(restored - data))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
