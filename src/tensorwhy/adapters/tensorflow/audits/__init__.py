"""What was lost in silence, looked for once at the end of a run. One module per kind of loss."""
