"""Score a Parquet file with Ray Data: each batch is one call of `rouge_many`.

python engine_ray.py records.parquet scores/
"""

import sys

import chronoscore as cs

MEASURES = ["rouge1", "rouge2", "rougeL"]


def score_batch(table):
    """An Arrow table of records in, a table of figures out."""
    scores = cs.rouge_many(table["system"], table["references"], MEASURES).to_arrow()
    return scores.add_column(0, "id", table["id"])


def main(source, target):
    """Score the file on the Ray cluster, or on this machine."""
    import ray

    records = ray.data.read_parquet(source)
    scores = records.map_batches(score_batch, batch_format="pyarrow", batch_size=20_000)
    scores.write_parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
