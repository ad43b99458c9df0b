"""Real notebooks, executed by a real kernel."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="executing notebooks needs nbclient")
pytest.importorskip("ipykernel", reason="executing notebooks needs ipykernel")
nbformat = pytest.importorskip("nbformat")

SOURCES = Path(__file__).parents[2] / "src"


def execute(*cells: str) -> list[list[dict]]:
    """The outputs of each cell, without what frameworks print to standard error."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    environment = {**os.environ, "PYTHONPATH": str(SOURCES), "TF_CPP_MIN_LOG_LEVEL": "3"}
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", allow_errors=True)
    client.execute(env=environment)
    return [[output for output in cell.outputs if output.get("name") != "stderr"] for cell in client.nb.cells]


def html(outputs: list[dict]) -> str:
    """The explanation under a cell; empty when there is none."""
    found = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert len(found) <= 1
    return "".join(found)


@pytest.fixture(scope="module")
def plain() -> list[list[dict]]:
    """Cells without any framework."""
    return execute(
        "%load_ext tensorwhy",
        "print('hello')\n40 + 2",
        "%%why\nimport inspect\nprint(inspect.currentframe().f_lineno)",
        "%%why\n1 / 0",
        "import tensorwhy\ntensorwhy.load_ipython_extension(get_ipython())",
        "%%why\nawait __import__('asyncio').sleep(0)",
        "%unload_ext tensorwhy",
        "%%why\n1",
        "get_ipython().input_transformers_cleanup[0].__name__, 'why' in get_ipython().magics_manager.magics['cell']",
        "%load_ext tensorwhy",
        "%no_such_magic",
    )


def test_a_cell_that_loses_nothing_is_left_alone(plain) -> None:
    assert [output["output_type"] for output in plain[1]] == ["stream", "execute_result"]


def test_a_cell_under_why_keeps_its_line_numbers_and_gets_an_answer(plain) -> None:
    assert plain[2][0]["text"] == "3\n"
    assert "No problems found" in html(plain[2])


def test_a_cell_under_why_still_raises(plain) -> None:
    assert plain[3][0]["output_type"] == "error"
    assert plain[3][0]["ename"] == "ZeroDivisionError"


def test_what_ipython_itself_refuses_is_not_explained(plain) -> None:
    assert [output["output_type"] for output in plain[10]] in ([], ["error"])


def test_loading_twice_is_loading_once(plain) -> None:
    assert len(plain[5]) == 1
    assert "No problems found" in html(plain[5])


def test_unloading_takes_every_hook_out(plain) -> None:
    assert plain[6] == []
    assert plain[8][0]["data"]["text/plain"] == "('leading_empty_lines', False)"


@pytest.fixture(scope="module")
def training() -> list[list[dict]]:
    """Cells in which TensorFlow loses gradients. The extension is loaded after TensorFlow."""
    return execute(
        "import tensorflow as tf",
        "%load_ext tensorwhy",
        "w = tf.Variable([[1.0], [2.0]])\nhidden = tf.constant([[3.0, 4.0]]) @ w",
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(hidden ** 2)\nprint(tape.gradient(loss, w))",
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(w ** 2)\nprint(tape.gradient(loss, w).shape)",
        "counts = tf.constant([1, 2])\ntf.map_fn(lambda n: tf.cast(n, tf.float32), counts)",
        "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(tf.stop_gradient(w))\ntape.gradient(loss, w)",
        "import tensorwhy\ntensorwhy.why()",
        "tensorwhy.history(tf.stop_gradient(w) * 2.0)",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(2), tf.keras.layers.Lambda(tf.stop_gradient)])\n"
        "tensorwhy.summary(model, tf.ones((2, 3)))",
        "with tensorwhy.record(show=False) as recording:\n    with tf.GradientTape() as tape:\n"
        "        loss = tf.round(w)\n    lost = tape.gradient(loss, w)\nrecording.report.diagnoses[0]",
        "kept = []\n@tf.function\ndef f(x):\n    kept.append(x * 2)\nf(tf.constant(1.0))\nkept[0] + 1",
    )


def test_a_none_gradient_is_explained_under_the_cell_that_asked(training) -> None:
    assert training[3][0]["text"] == "None\n"
    assert "TW102" in html(training[3])


def test_the_explanation_shows_lines_of_earlier_cells_by_their_number(training) -> None:
    text = html(training[3])
    assert "In[3]:2" in text
    assert "In[4]" in text
    assert "ipykernel" not in text


def test_the_same_explanation_is_there_as_plain_text(training) -> None:
    texts = [output["data"]["text/plain"] for output in training[3] if "text/html" in output.get("data", {})]
    assert "TW102" in texts[0]


def test_a_gradient_that_flows_gets_no_explanation(training) -> None:
    assert training[4][0]["text"] == "(2, 1)\n"
    assert html(training[4]) == ""


def test_a_failed_cell_is_explained_after_its_traceback(training) -> None:
    kinds = [output["output_type"] for output in training[5]]
    assert kinds == ["error", "display_data"]
    assert "TW501" in html(training[5])


def test_observing_goes_on_after_a_failure(training) -> None:
    assert "TW104" in html(training[6])


@pytest.mark.parametrize(("cell", "place"), [(7, "In[7]"), (8, "In[9]:1"), (9, "In[10]")])
def test_what_is_asked_from_python_names_cells_too(training, cell: int, place: str) -> None:
    text = html(training[cell])
    assert place in text
    assert "ipykernel" not in text
    assert "tensorwhy fix" not in text and "tensorwhy run" not in text


def test_the_namespace_that_the_shell_holds_is_no_holder(training) -> None:
    assert "TW403" in html(training[11])
    assert "get_ipython" not in html(training[11])


def test_a_diagnosis_alone_has_its_lines(training) -> None:
    first = training[10][0]["data"]["text/html"]
    assert "tf.round" in first and "not in the report" not in first


def test_a_summary_is_a_table(training) -> None:
    assert "<table" in html(training[9])
