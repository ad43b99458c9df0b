"""Link "survived": what a program saves and loads again, against what its models compute with."""
