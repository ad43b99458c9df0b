"""What was lost in silence, looked for once at the end of a run. One module per kind of loss."""

ELSEWHERE = (
    ("keras_common.learning.replaced_weights", "facts"),
    ("keras_common.learning.unused_masks", "facts"),
    ("keras_common.survival.facts", "facts"),
    ("tensorflow.questions.outer", "facts"),
    ("tensorflow.variables.late_freezing", "facts"),
    ("tensorflow.variables.made_anew", "facts"),
)
