from concurrent.futures import ThreadPoolExecutor

from small import train

train()  # TensorFlow crashes now and then where several threads at once run an operation for the first time
with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(train, range(1, 9))))
