# requires: keras3
# A transformer whose position embedding is written with functions, and an error that is passed on with other words.
from model import transformer


def build(config):
    try:
        return transformer(**config)
    except ValueError as error:
        raise RuntimeError(f"no model for {config}") from error


model = build({"length": 12, "vocabulary": 50, "width": 8, "heads": 2})
model.compile("adam", "binary_crossentropy")
