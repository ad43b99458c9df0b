"""Traces: what was recorded, as Parquet files that any process (and any other tool) can read later.

pyarrow is imported only where a table is written or read, fsspec only for remote folders.
"""
