"""From what was seen to facts: why a gradient is missing, zero or not finite, and why something does not train."""
