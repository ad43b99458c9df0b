"""What is asked of replays: does an explanation hold, and where does the signal die?"""
