"""Keras 3 (`keras` from version 3 on), as the pipeline sees it. Imports no framework."""

from __future__ import annotations

from tensorwhy.adapters.keras_common.session import KerasAdapter

ADAPTER = KerasAdapter("keras3", ("keras",), generation=3)
