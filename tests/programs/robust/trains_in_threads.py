from concurrent.futures import ThreadPoolExecutor

from small import train

with ThreadPoolExecutor(4) as pool:
    print(list(pool.map(train, range(1, 9))))
