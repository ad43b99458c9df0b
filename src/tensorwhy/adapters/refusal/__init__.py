"""Why a library refused an object, read from the failure's anatomy and never from its text.

Any exception of a library has one: the function that raised, the condition that guards the raise, the object that the
condition reads, the way on which that object came from the user's expression, and where it was made. What is special
about one function is a row of data (`FrameRule`); what a framework's objects are called, its adapter says (`Describe`).
"""
