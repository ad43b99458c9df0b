import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--format")
parser.add_argument("--output")
parser.add_argument("-m", action="store_true")
parser.add_argument("rest", nargs="*")
print(parser.parse_args())
