import threading

import tensorflow as tf

tf.compat.v1.disable_eager_execution()


class Server:
    def __init__(self):
        self.x = tf.compat.v1.placeholder(tf.float32, [2])
        self.logits = self.x * 3.0
        self.session = tf.compat.v1.Session()
        self.failure = None

    def scale(self, factor):
        factor = tf.constant(factor)
        return self.logits * factor  # why: TW405

    def answer(self, values):
        try:
            print(self.session.run(self.scale(0.5), {self.x: values}))
        except ValueError as error:
            self.failure = error


server = Server()
worker = threading.Thread(target=server.answer, args=([1.0, 2.0],))
worker.start()
worker.join()
if server.failure is not None:
    raise server.failure
