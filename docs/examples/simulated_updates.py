"""Write scores and ratings of 58 invented systems and 8 people on 48 topics, with a known truth.

The measures R1 and R2 see a system's update (bb) and its repetition of old news (ab) through
noise; people rate what is new, mind what is repeated, and value how people write, which no
measure sees. Run it in an empty folder: it writes scores.csv and ratings.csv.
"""

import csv
from pathlib import Path

import numpy as np

MACHINES, PEOPLE, TOPICS = 58, 8, 48
ALPHA = (0.9, -5.5, 21.0)


def main() -> None:
    """Draw the numbers and write both files."""
    rng = np.random.default_rng(2008)
    systems = [f"m{n:02}" for n in range(MACHINES)] + [f"h{n}" for n in range(PEOPLE)]
    human = np.arange(len(systems)) >= MACHINES
    quality = np.where(human, 0.9, rng.beta(2, 2, len(systems)))
    repeats = np.where(human, 0.3, rng.beta(2, 2, len(systems)))
    new = 0.035 + 0.07 * quality
    old = 0.02 + 0.03 * quality + 0.06 * repeats
    rated = ALPHA[0] + ALPHA[1] * old + ALPHA[2] * new + np.where(human, 1.5, 0.0)
    size = (len(systems), TOPICS)
    scores: dict[tuple[str, str], np.ndarray] = {}
    for name, scale, noise in (("R1", 4.0, 0.06), ("R2", 1.0, 0.03)):
        scores[name, "ab"] = scale * old[:, None] + noise * rng.standard_normal(size)
        scores[name, "bb"] = scale * new[:, None] + noise * rng.standard_normal(size)
    taste = 0.15 * rng.standard_normal((len(systems), 1))
    ratings = rated[:, None] + taste + 0.8 * rng.standard_normal(size)
    # A person writes on half of the topics, as at TAC.
    there = np.ones(size, dtype=bool)
    there[MACHINES::2, ::2] = False
    there[MACHINES + 1 :: 2, 1::2] = False
    topics = [f"D{n:02}" for n in range(TOPICS)]
    with Path("scores.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "topic", "measure", "part", "value"])
        for (name, part), grid in scores.items():
            for s, t in np.argwhere(there):
                writer.writerow([systems[s], topics[t], name, part, f"{grid[s, t]:.5f}"])
    with Path("ratings.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "topic", "rating", "value", "human"])
        for s, t in np.argwhere(there):
            value = f"{np.clip(ratings[s, t], 1, 5):.2f}"
            writer.writerow([systems[s], topics[t], "responsiveness", value, int(human[s])])


if __name__ == "__main__":
    main()
