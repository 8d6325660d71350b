# Writes the binary fixtures beside it. Run: python make-fixtures.py (pyarrow 22 or later)
import json
import datetime
import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

features = {"info": {"features": {"label": {"_type": "ClassLabel", "names": ["negative", "positive"]}}}}
table = pa.table({
    "id": pa.array([1, 2, 9007199254740993, 4], pa.int64()),
    "text": pa.array(["a", None, "ü €", "d"]),
    "label": pa.array([1, 0, 1, -1], pa.int64()),
    "nested": pa.array([[["x"], []], None, [], [["y", None]]], pa.list_(pa.list_(pa.string()))),
    "struct": pa.array([{"a": 1}, None, {"a": None}, {"a": 4}], pa.struct([("a", pa.int64())])),
    "choices": pa.array([{"text": ["p", "q"], "label": ["A", "B"]}] * 4, pa.struct([("text", pa.list_(pa.string())), ("label", pa.list_(pa.string()))])),
    "when": pa.array([datetime.datetime(2024, 1, 2, 3, 4, 5)] * 4, pa.timestamp("us")),
    "flag": pa.array([True, False, None, True]),
    "score": pa.array([0.5, float("nan"), None, 2.0]),
    "name": pa.array(["a", "b", "a", "b"]).dictionary_encode(),
}).replace_schema_metadata({"huggingface": json.dumps(features)})
for codec in ["zstd", "snappy", "gzip", "none", "brotli", "lz4"]:
    pq.write_table(table, f"rows.{codec}.parquet", compression=codec, row_group_size=3)
with ipc.new_stream("rows.stream.arrow", table.schema) as writer:
    writer.write_table(table, max_chunksize=3)
with ipc.new_file("rows.file.arrow", table.schema) as writer:
    writer.write_table(table, max_chunksize=3)
for codec in ["lz4", "zstd"]:
    with ipc.new_file(f"rows.{codec}.arrow", table.schema, options=ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_table(table, max_chunksize=3)
# Several linked blocks of 64 KiB, long matches that overlap themselves.
text = "".join("alpha beta %d " % (i // 700) for i in range(14000))
with open("text.lz4", "wb") as file:
    file.write(pa.compress(text.encode(), codec="lz4", asbytes=True))
