"""TensorFlow: eager ops, tapes, graphs. Imported after the user's program imported it.

- `session` opens a recording, `explaining` and `inquiry` answer its questions, `drawing` draws lineages.
- `hooks/` write the journal; `questions/` keep what tapes and graphs were asked; `import_hooks/` must be in place
  before a failure.
- `variables/` see how variables fare, `ledger/` fills their rows; `tracing/` keeps a row for each trace.
- `gradients/` read TensorFlow's own tables: which inputs of an operation get None.
- `replays/` execute a step again, recorded or traced (`Replay`: evaluate, differentiate, observe, undo); `experiments/`
  ask them whether an explanation holds, and where the signal dies.
- `probes/` read a live failure, with what `failures/` and `graphs/` share; `refusals` has the frame rules.
- `audits/` look for silent losses at the end.
"""
