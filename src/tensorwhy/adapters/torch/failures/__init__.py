"""Why a call of PyTorch was refused: what it was given, and what it would take."""
