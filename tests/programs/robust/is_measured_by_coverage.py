# requires: coverage
import os

import coverage
import small

measured = coverage.Coverage(data_file=None, include=[os.path.abspath(small.__file__)])
measured.start()
print(small.train())
measured.stop()
_, executable, missing, _ = measured.analysis(small.__file__)
print(len(executable), missing)
