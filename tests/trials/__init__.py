"""Trials with damaged input: longer runs than the tests, with the same parts."""
