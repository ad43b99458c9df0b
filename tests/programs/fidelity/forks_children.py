import multiprocessing
import os
import sys


def work(number):
    if number == 2:
        raise ValueError("in a child")
    print("child", number, flush=True)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    for number in (1, 2):
        child = context.Process(target=work, args=(number,), name=f"child-{number}")
        child.start()
        child.join()
        print(child.exitcode, flush=True)
    pid = os.fork()
    if pid == 0:
        print("forked", flush=True)
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
