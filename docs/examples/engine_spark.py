"""Score a Parquet file with Spark: each Arrow batch is one call of `rouge_many`.

python engine_spark.py records.parquet scores/
"""

import os
import sys

import chronoscore as cs

MEASURES = ["rouge1", "rouge2", "rougeL"]
COLUMNS = [f"{measure}.{part}" for measure in MEASURES for part in "prf"]
SCHEMA = ", ".join(["id string", *(f"`{column}` double" for column in COLUMNS)])


def score_batches(batches):
    """Arrow batches of records in, batches of figures out."""
    for batch in batches:
        scores = cs.rouge_many(batch["system"], batch["references"], MEASURES).to_arrow()
        yield from scores.add_column(0, "id", batch["id"]).to_batches()


def main(source, target):
    """Score the file on the Spark cluster, or on this machine."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # else the first python3 of the path
    spark = SparkSession.builder.appName("chronoscore").getOrCreate()
    records = spark.read.parquet(source)
    records.mapInArrow(score_batches, SCHEMA).write.mode("overwrite").parquet(target)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
