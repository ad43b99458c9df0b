# Power iteration starts with a vector and goes on with a column.
import tensorflow as tf
from spectral import largest_eigenvalue

matrix = tf.linalg.diag([1.0, 2.0, 3.0])
print(float(largest_eigenvalue(matrix, tf.constant(20))))
