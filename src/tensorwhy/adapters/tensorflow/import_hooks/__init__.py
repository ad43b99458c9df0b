"""What must be in place before a failure, so that it can be explained afterwards. Costs nothing while all goes well."""

ELSEWHERE = (("number_warnings", "watch"),)
