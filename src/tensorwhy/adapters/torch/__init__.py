"""PyTorch (experimental): what its functions, modules and optimizers do, as neutral facts.

Each room imports those that are named before it:

- `operations`: what PyTorch's functions and graphs are, whatever the program.
- `recording`: the function mode writes the journal and keeps what functions were called with; later it rests.
- `words`: what is said of each finding, one row for each; PyTorch's own words for what breaks a graph.
- `replays`: a step that is executed once more, and its gradients.
- `questions`: what the program asked of autograd; `asking` notes it.
- `training`: what optimizers were given and did. `effects` is the ledger of calls that are meant to change a state
  (gradients, rates, modes, values), and of what they really changed: a row in its `KINDS` for each kind of call.
- `seen`: all of that in one hand, for those who read it.
- `explaining`: facts, at the end of a run or when something is refused. `answers` answers questions; `findings` gathers
  what is wrong with a training although nothing was refused. What is told at the end is a `Reader` (`seen`).
- `failures`, `refusals`, `probes`: what a failed call was given, and what it would take. `native` reads it by `trials`,
  of which `decided` tells; `refusals` has the words for objects.
- `session` composes; `adapter` is what the pipeline sees.
"""
