import threading


def show(args):
    print("mine:", args.exc_type.__name__, args.exc_value, args.thread.name)


threading.excepthook = show
thread = threading.Thread(target=lambda: 1 / 0, name="worker")
thread.start()
thread.join()
