"""The tree search.

tree: its memory; selection, backup, priors, solver: the formulas; simulate: the loop; reuse: what is kept from move to
move; config, search: an algorithm put together and run; analysis, player: for people.
"""
