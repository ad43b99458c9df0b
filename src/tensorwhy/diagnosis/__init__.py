"""From a question and its facts to ranked diagnoses. Knows no framework and no particular reason."""
