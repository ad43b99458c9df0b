import logging
import sys
import traceback

logging.basicConfig(stream=sys.stdout)


def show():
    traceback.print_stack()
    print(traceback.format_stack(limit=1))
    print([frame.name for frame in traceback.extract_stack()])
    print([frame.name for frame in traceback.extract_stack(limit=-1)])
    logging.warning("here", stack_info=True)


show()
