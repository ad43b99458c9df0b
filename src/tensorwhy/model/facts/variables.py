"""Facts about variables: who made them, who holds them, and whether training reaches them."""

from __future__ import annotations

from typing import Literal

import msgspec

from tensorwhy.model.facts import Fact
from tensorwhy.model.location import Location

Holder = Literal["function", "attribute", "container", "itself", "object", "nothing"]


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """How a model comes to state that it does not list.

    `by`: a function's closure or globals, a plain attribute, a container or object that `looker`, which lists the
    variables of the model, does not look into (`container` names its type), an object of the user's that a layer or
    model of the library's own was given (a loss), an attribute whose value is of a kind that the model does not list
    (`itself`), or nothing. `path` is written as the user would write it (`self.blocks["a"]`), `owner` is the class that
    has the attribute, `at` the line that put it there. `of_modules`: the looker lists plain modules, and no layers.
    """

    by: Holder = "nothing"
    path: str = ""
    container: str = ""
    at: Location | None = None
    owner: str = ""
    looker: str = ""
    of_modules: bool = False


class Untracked(Fact, frozen=True, kw_only=True):
    """State that a trained model computes with, and that no gradient was asked for and no update reached.

    `what` is a variable of the user's, or a layer with `weights` variables; `held` says how the model comes to it.
    `trained_at` is where the gradient was asked for. `unchanged` is True when its value was seen to be the same at the
    end as at first, None when it was not seen again. `foreign` says that it is a variable of another library than the
    model, `refused` that the library itself noticed, and raised, `read_once` that its value became a constant of the
    model where it is held, so that not even an assignment would reach the model. `made_by` is the user's line that led
    to `made`, in a class of a library.
    """

    what: Literal["variable", "layer"]
    name: str
    made: Location | None
    model: str
    trained_at: Location | None
    held: Holding = Holding()
    weights: int = 1
    unchanged: bool | None = None
    foreign: bool = False
    refused: bool = False
    read_once: bool = False
    made_by: Location | None = None


class TooLate(Fact, frozen=True, kw_only=True):
    """State that came into being after what should know it was finished.

    `finished` names that thing: a layer that was built, an optimizer that was built with other variables, weights that
    were to be loaded into a model before it had any, a list of weights that was read before, a layer whose `build` (at
    `finished_at`) leaves the layers inside of it without weights ("children"). `made` is where the late
    state was made, `finished_at` where the other thing was, `used` where they met.
    """

    what: str
    finished: Literal["layer", "optimizer", "weights", "list", "children"]
    used: Location
    made: Location | None = None
    finished_name: str = ""
    finished_at: Location | None = None
    others: int = 0
    another_model: bool = False


Change = Literal["changed", "outside", "keys"]


class ChangedContainer(Fact, frozen=True, kw_only=True):
    """A list or dict attribute that cannot be saved, as its elements are known by their positions or names.

    `change` says why: an element was replaced, removed or moved ("changed"), the list was changed under another name
    ("outside"), or a key is no string ("keys"). `path` is how the user gets at it where it was saved, `owner` the class
    that has the attribute. `changed_at` is the one line of the program that does such a thing to such an attribute.
    """

    what: Literal["list", "dict"]
    change: Change
    saved_at: Location
    path: str = ""
    owner: str = ""
    changed_at: Location | None = None


class NotSaved(Fact, frozen=True, kw_only=True):
    """State that a function of a SavedModel reads, and that the saved object does not lead to: saving it was refused.

    `name` is how the user gets at what is to be attached: the variable or table itself, or the nearest thing on the way
    to it that can be an attribute of the saved object. `held` says in words who keeps it, `plain` names the class of an
    object of the saved one that TensorFlow does not look into. "gone": nothing keeps it any more. `exported`
    is the class of the saved object, `expression` how the call names it, `archive` that this is an `ExportArchive`,
    `owner` the user's class whose object leads nearest to the state.
    """

    what: Literal["variable", "table", "layer", "model", "module", "resource", "gone"]
    saved_at: Location
    exported: str
    name: str = ""
    made: Location | None = None
    used: Location | None = None
    held: str = ""
    of_class: bool = False
    plain: str = ""
    owner: str = ""
    expression: str = ""
    archive: bool = False


class NotRestored(Fact, frozen=True, kw_only=True):
    """State that a model computes with, and that a file which was loaded left as it was.

    - "late": it was made after the file was read, which nothing then waited for;
    - "renamed": the file has values of the same shapes under other names (`in_file`), which nothing took;
    - "absent": the file has nothing of these shapes;
    - "untracked": a variable in a `container`, which the model does not list, and so does not save;
    - "plain": a number or array in a plain attribute, which no file has;
    - "named": it is kept in an `attribute` whose name the library uses itself, and passes over when it saves;
    - "unsaved": a whole model was loaded, and this variable of it is not what it was when the file was written.

    `names` are those of the state, `made` is where the first was made, `held_at` where the attribute is set. `partial`:
    the program said that the file need not have everything.
    """

    why: Literal["late", "renamed", "absent", "untracked", "plain", "named", "unsaved"]
    names: tuple[str, ...]
    model: str
    restored_at: Location | None
    saved_at: Location | None = None
    made: Location | None = None
    held_at: Location | None = None
    container: str = ""
    in_file: tuple[str, ...] = ()
    partial: bool = False
    attribute: str = ""
