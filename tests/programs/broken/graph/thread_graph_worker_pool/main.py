# A service of the first TensorFlow's time: requests are answered by threads of a pool.
from concurrent.futures import ThreadPoolExecutor

from service import Predictor

predictor = Predictor(width=3)
with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(predictor.predict, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]))
print(answers)
