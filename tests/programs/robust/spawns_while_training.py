import multiprocessing


def work(number):
    print("child", number, flush=True)


def spawn(step):
    child = multiprocessing.get_context("spawn").Process(target=work, args=(step,))
    child.start()
    child.join()
    print("child ended with", child.exitcode, flush=True)


if __name__ == "__main__":
    from small import train

    print(train(steps=2, during=spawn))
