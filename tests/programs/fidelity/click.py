WHO = "the program's own module"
