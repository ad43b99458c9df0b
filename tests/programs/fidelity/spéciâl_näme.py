raise ValueError("ünïcode")
