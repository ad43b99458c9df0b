"""A loaded SavedModel gives hidden values and logits; the attribution asks one for the other."""
import tempfile
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = tf.Variable(tf.random.normal((4, 3))), tf.Variable(tf.random.normal((3, 2)))

    @tf.function(input_signature=[tf.TensorSpec((None, 4))])
    def run(self, x):
        hidden = tf.tanh(x @ self.a)
        return {"hidden": hidden, "logits": hidden @ self.b}


folder = tempfile.mkdtemp()
tf.saved_model.save(Net(), folder)
net = tf.saved_model.load(folder)
with tf.GradientTape() as tape:
    out = net.run(tf.ones((1, 4)))  # why: TW115
    tape.watch(out["hidden"])
    picked = out["logits"][:, 0]
print(tape.gradient(picked, out["hidden"]))
