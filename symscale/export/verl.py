"""The layout of verl: Parquet with a chat, a reward style and a ground truth.

`ground_truth` is the key of the row as JSON; `symscale.adapters.verl.compute_score` grades with it.
"""

from __future__ import annotations

from typing import Any

from symscale.export.chat import messages
from symscale.export.keys import key_text
from symscale.export.layouts import Layout
from symscale.variants.rows import Row


def record(row: Row) -> dict[str, Any]:
    """A row as verl loads it. `data_source` is by category, as verl reports by it."""
    return {
        "data_source": f"symscale/{row['category']}",
        "prompt": messages(row["question"]),
        "ability": row["category"],
        "reward_model": {"style": "rule", "ground_truth": key_text(row)},
        "extra_info": {
            "split": row["split"],
            "index": row["index"],
            "id": row["id"],
            "task": row["task"],
            "seed": row["seed"],
            "difficulty": row["difficulty"],
            "answer": row["answer"],
            "hash": row["hash"],
        },
    }


def _schema(pyarrow: Any) -> Any:
    string, integer = pyarrow.string(), pyarrow.int64()
    message = pyarrow.struct({"role": string, "content": string})
    extra = {
        "split": string,
        "index": integer,
        "id": string,
        "task": string,
        "seed": integer,
        "difficulty": integer,
        "answer": string,
        "hash": string,
    }
    return pyarrow.schema(
        {
            "data_source": string,
            "prompt": pyarrow.list_(message),
            "ability": string,
            "reward_model": pyarrow.struct({"style": string, "ground_truth": string}),
            "extra_info": pyarrow.struct(extra),
        }
    )


VERL = Layout("parquet", record, _schema)
