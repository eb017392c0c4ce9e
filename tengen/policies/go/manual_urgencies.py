"""The hand-made urgencies `manual`: patterns of cuts, connections, contact fights, edges and eyes, drawn as pictures.

X is the side to move, which plays on the star; O is the enemy; . is an empty point; n is X or empty, m is O or empty;
? is any of the three; - is off the board. A picture stands for its eight symmetries. Every pattern has the urgency 1;
each picture that matches adds its urgency. A pattern that matches a picture of WASTED has that urgency instead.

The urgencies of the paper's base are not published. As there, cuts and connections have high urgencies; unlike there,
the table is not sparse: a third of the patterns are above 1. The sizes were chosen by hand and not tuned;
docs/indigo.md has the games played with them.
"""

CUT, CONNECT, CONTACT, EDGE, EYE = 20.0, 20.0, 8.0, 8.0, 6.0
"""Urgencies by kind of picture."""
CAPTURE_URGENCY, ESCAPE_URGENCY = 40.0, 20.0
"""Urgency per stone of the last liberty of a chain: to capture it, and to save it."""

PICTURES: tuple[tuple[str, float, str], ...] = (
    (
        "cut a diagonal connection",
        CUT,
        """
        X O ?
        O * m
        ? . n
        """,
    ),
    (
        "cut a diagonal connection from both sides",
        CUT,
        """
        X O ?
        O * X
        ? X ?
        """,
    ),
    (
        "cut between two stones",
        CUT,
        """
        ? X ?
        O * O
        n n n
        """,
    ),
    (
        "connect diagonal stones",
        CONNECT,
        """
        O X ?
        X * n
        ? . m
        """,
    ),
    (
        "connect diagonal stones between enemies",
        CONNECT,
        """
        O X ?
        X * O
        ? O ?
        """,
    ),
    (
        "connect two stones",
        CONNECT,
        """
        ? O ?
        X * X
        m m m
        """,
    ),
    (
        "hane",
        CONTACT,
        """
        X O ?
        . * .
        ? . ?
        """,
    ),
    (
        "answer a hane",
        CONTACT,
        """
        O X ?
        . * .
        ? . ?
        """,
    ),
    (
        "push along a wall",
        CONTACT,
        """
        X O ?
        X * .
        ? . ?
        """,
    ),
    (
        "block along a wall",
        CONTACT,
        """
        O X ?
        O * .
        ? . ?
        """,
    ),
    (
        "extend along the edge",
        EDGE,
        """
        O . ?
        X * ?
        - - -
        """,
    ),
    (
        "stop along the edge",
        EDGE,
        """
        X . ?
        O * ?
        - - -
        """,
    ),
    (
        "cut at the edge",
        EDGE,
        """
        ? X ?
        m * O
        - - -
        """,
    ),
    (
        "connect at the edge",
        EDGE,
        """
        ? O ?
        n * X
        - - -
        """,
    ),
    (
        "descend beside an enemy",
        EDGE,
        """
        ? X O
        ? * .
        - - -
        """,
    ),
    (
        "descend against a descent",
        EDGE,
        """
        ? O X
        ? * .
        - - -
        """,
    ),
    (
        "make an eye at the edge",
        EYE,
        """
        X . X
        X * n
        - - -
        """,
    ),
    (
        "take an eye at the edge",
        EYE,
        """
        O . O
        O * m
        - - -
        """,
    ),
    (
        "close an eye",
        EYE,
        """
        X . X
        ? * ?
        O O ?
        """,
    ),
    (
        "break an eye",
        EYE,
        """
        O . O
        ? * ?
        X X ?
        """,
    ),
)

WASTED_URGENCY = 0.1
WASTED: tuple[tuple[str, str], ...] = (
    (
        "inside own territory",
        """
        n X n
        X * X
        n n n
        """,
    ),
    (
        "inside own territory at the edge",
        """
        n X n
        X * .
        - - -
        """,
    ),
    (
        "in the enemy's eye",
        """
        ? O ?
        O * O
        ? O ?
        """,
    ),
    (
        "in the enemy's eye at the edge",
        """
        ? O ?
        O * O
        - - -
        """,
    ),
    (
        "in the enemy's eye in the corner",
        """
        - O ?
        - * O
        - - -
        """,
    ),
)
