"""A coordinator trains on one worker with one parameter server; with an argument it rounds away every gradient."""

import json
import os
import sys

import tensorflow as tf

cluster = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if cluster.task_type in ("worker", "ps"):
    tf.distribute.Server(
        cluster.cluster_spec(), job_name=cluster.task_type, task_index=cluster.task_id, protocol="grpc", start=True
    )
    print("serving", flush=True)
    sys.stdin.read()  # until the coordinator's test ends
    os._exit(0)

strategy = tf.distribute.ParameterServerStrategy(cluster)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    w = tf.Variable(tf.ones((3, 1)))


@tf.function
def step():
    def replica():
        x = tf.ones((8, 3))
        with tf.GradientTape() as tape:
            score = x @ w
            if len(sys.argv) > 1:
                score = tf.round(score)
            loss = tf.reduce_mean((score - 2.0) ** 2)
        gradient = tape.gradient(loss, w)
        if gradient is not None:
            w.assign_sub(0.1 * gradient)
        return loss

    return strategy.run(replica)


losses = [coordinator.schedule(step) for _ in range(4)]
coordinator.join()
print("trained", len([each.fetch() for each in losses]))
