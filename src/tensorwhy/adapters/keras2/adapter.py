"""Keras 2 (`keras` before version 3 and `tf_keras`), as the pipeline sees it. Imports no framework."""

from __future__ import annotations

from tensorwhy.adapters.keras_common.session import KerasAdapter

ADAPTER = KerasAdapter("keras2", ("keras", "tf_keras"), generation=2)
