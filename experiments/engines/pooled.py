"""Pool several evaluations of the same two players.

python experiments/engines/pooled.py experiments/engines/rikiki_10000_search_*.json

The files are of the same two players in other deals. Mean and interval are those of all deals, which
follow from the number of deals, the mean and the standard deviation of each file.
"""

import argparse
import math
from pathlib import Path

from jaxcards.evaluation.intervals import student_quantile
from jaxcards.evaluation.result import Evaluation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    results = [Evaluation.from_json(file.read_text("utf-8")) for file in parser.parse_args().files]
    if len({(result.game, result.names) for result in results}) > 1 or len(results[0].pairs) > 1:
        parser.error("the files are of several games or pairs of players")
    if len({result.seed for result in results}) < len(results):
        parser.error("two files have the same seed, and so the same deals")
    pairs = [(result.num_deals, result.pairs[0]) for result in results]
    number = sum(n for n, _ in pairs)
    mean = sum(n * pair.difference.mean for n, pair in pairs) / number
    squares = sum((n - 1) * pair.sd**2 + n * (pair.difference.mean - mean) ** 2 for n, pair in pairs)
    half = student_quantile(number - 1) * math.sqrt(squares / (number - 1) / number)
    names = " - ".join(results[0].names)
    print(f"{names}: {mean:+.2f} ({mean - half:+.2f} to {mean + half:+.2f}) in {number} deals")


if __name__ == "__main__":
    main()
