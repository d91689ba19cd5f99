"""Run the examples of Dask, Ray and Spark on the same records; all must give the same figures.

`make engines` installs the engines and runs this. It prints how long each took, start included, and
exits with 1 if any figure differs from those of one call on this machine.

    python engines.py [RECORDS] [ENGINE …]
"""

import importlib
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import chronoscore as cs

ENGINES = ("dask", "ray", "spark")
HERE = Path(__file__).parent


def write_records(path, count, seed=1):
    """Records of invented text: 60 words each, about half of them shared."""
    rng = random.Random(seed)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    columns = {"id": [], "system": [], "references": []}
    for number in range(count):
        own = rng.choices(words, weights, k=60)
        other = rng.choices(words, weights, k=60)
        columns["id"].append(f"r{number}")
        columns["system"].append(" ".join(own))
        mixed = [a if rng.random() < 0.5 else b for a, b in zip(own, other, strict=True)]
        columns["references"].append(" ".join(mixed))
    pq.write_table(pa.table(columns), path, row_group_size=max(1, count // 8))


def read_scores(folder):
    """The figures that an engine wrote, in the order of ids."""
    files = sorted(folder.rglob("*.parquet"))
    table = pa.concat_tables([pq.read_table(file) for file in files], promote_options="permissive")
    return table.sort_by("id").to_pydict()


def expected_scores(path):
    """The figures of one call."""
    table = pq.read_table(path)
    measures = importlib.import_module("engine_ray").MEASURES
    scores = cs.rouge_many(table["system"], table["references"], measures).to_arrow()
    return scores.add_column(0, "id", table["id"]).sort_by("id").to_pydict()


def main(count="20000", *engines):
    """Run the engines one after the other and compare."""
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_records(folder / "records.parquet", int(count))
        start = time.perf_counter()
        expected = expected_scores(folder / "records.parquet")
        print(f"one call: {time.perf_counter() - start:.1f} s for {count} records")
        for engine in engines or ENGINES:
            start = time.perf_counter()
            target = folder / engine
            script = HERE / f"engine_{engine}.py"
            command = [sys.executable, script, folder / "records.parquet", target]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            same = done.returncode == 0 and read_scores(target) == expected
            wrong += not same
            print(f"{engine}: {time.perf_counter() - start:.1f} s, {'same' if same else 'WRONG'}")
            if not same:
                print(done.stderr[-2000:], file=sys.stderr)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
