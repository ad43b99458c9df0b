import multiprocessing
import os
import pickle
import sys


class Own:
    def __init__(self, value):
        self.value = value


def double(own):
    return Own(own.value * 2)


def ends(code):
    sys.exit(code)


if __name__ == "__main__":
    print(pickle.loads(pickle.dumps(Own(3))).value, Own.__module__)
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        with context.Pool(2) as pool:
            print(method, [each.value for each in pool.map(double, [Own(1), Own(2)])], flush=True)
        process = context.Process(target=ends, args=(5,))
        process.start()
        process.join()
        print(process.exitcode, flush=True)
        process = context.Process(target=__import__("time").sleep, args=(30,))
        process.start()
        process.terminate()
        process.join()
        print(process.exitcode, flush=True)
    child = os.fork()
    if not child:
        os._exit(4)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
