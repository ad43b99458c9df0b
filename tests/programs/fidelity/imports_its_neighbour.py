import click  # the file beside this one, whatever is installed

print(click.WHO)
