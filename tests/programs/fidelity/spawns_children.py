import multiprocessing
import os


def square(x):
    return x * x


class Job:
    def __init__(self, n):
        self.n = n

    def run(self):
        return square(self.n)


def work(job):
    return job.run()


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(pool.map(work, [Job(2), Job(3)]))
else:
    print("imported as", __name__, os.path.basename(__file__), flush=True)
