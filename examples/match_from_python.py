"""Let two players play a match, and print the win rate with its confidence interval.

python examples/match_from_python.py --games 100 --workers 0
"""

import argparse

import tengen


def main() -> None:
    parser = argparse.ArgumentParser(description="A match of MC-RAVE and UCT at equal numbers of simulations.")
    parser.add_argument("--games", type=int, default=6)
    parser.add_argument("--simulations", type=int, default=50, help="per move")
    parser.add_argument("--size", type=int, default=9, help="of the Go board")
    parser.add_argument("--workers", type=int, default=1, help="games at a time; 0: one per core")
    options = parser.parse_args()

    result = tengen.match(
        f"mc-rave:simulations={options.simulations}",
        f"uct:simulations={options.simulations}",
        tengen.Go(options.size),
        games=options.games,
        workers=options.workers,
        progress=True,
    )
    print(result)
    low, high = result.interval
    print(f"MC-RAVE wins {result.rate:.0%} of the games; 95 % confidence interval: {low:.0%} to {high:.0%}")
    longest = max(result.games, key=lambda game: len(game.moves))
    print(f"The longest game has {len(longest.moves)} moves and ends so:")
    print(longest.position)


if __name__ == "__main__":
    main()
