"""Score a Parquet file with Dask: each partition is one call of `rouge_many`.

python engine_dask.py records.parquet scores/
"""

import sys

import chronoscore as cs

MEASURES = ["rouge1", "rouge2", "rougeL"]
COLUMNS = [f"{measure}.{part}" for measure in MEASURES for part in "prf"]


def score_partition(part):
    """A frame of records in, a frame of figures out."""
    scores = cs.rouge_many(part["system"], part["references"], MEASURES).to_pandas()
    scores.insert(0, "id", part["id"].to_numpy())
    return scores


def main(source, target):
    """Score the file on whatever cluster Dask is connected to."""
    import dask.dataframe as dd

    records = dd.read_parquet(source, split_row_groups=True)
    meta = {"id": "string[pyarrow]", **dict.fromkeys(COLUMNS, "float64")}
    records.map_partitions(score_partition, meta=meta).to_parquet(target, write_index=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
