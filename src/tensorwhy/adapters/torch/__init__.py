"""PyTorch (experimental): what its functions, modules and optimizers do, as neutral facts.

- What runs: `recorder`, `kinds`, `calls` write the journal and keep what functions were called with; `switches`,
  `short`, `kept` note what matters after recording rests; `modules`, `training`, `optimizer_state` what is held and
  updated. `effects` is the ledger of calls that are meant to change a state (gradients, rates, modes, values), and of
  what they really changed: a row in its `KINDS` for each kind of call, read through `hooks`.
- Questions about a gradient: `asking` notes them, `explaining` answers; `without_graph`, `spent`, `mixed` and
  `custom_functions` say why `backward` was refused or gave None; `signals` has a bad step executed again by `replay`,
  and `lost_signals` answers; after recording rests, `first_lost`.
- Training that goes nowhere: `findings` gathers what the other modules see of parameters and losses; `effect_facts`
  tells which calls changed nothing, too much, or what nobody uses. Each is a `Reader` (`seen`), and its words are a row
  of `found_words`, `value_words` or `refused_words`, of which `saying` makes the fact.
- Errors: `refusals`, `refusal_rules`, `failed_call`, `trials`, `unloadable`, `remade` read a failed call, and
  `unchangeable` tells what must not be changed in place. `words` brings PyTorch's own with each fact
  (`model/facts/told.py`).
"""
