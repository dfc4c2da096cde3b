"""The card of a Hugging Face data set: front matter that loads it, and what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from symscale.catalog.tasks import Task
from symscale.export.content import Content
from symscale.expressions.text import text
from symscale.units import Unit

TAGS = ("roofline", "scaling", "llm", "reinforcement-learning", "verifiable-rewards", "symscale")

_SIZES = (
    (10**3, "n<1K"),
    (10**4, "1K<n<10K"),
    (10**5, "10K<n<100K"),
    (10**6, "100K<n<1M"),
    (10**7, "1M<n<10M"),
    (10**8, "10M<n<100M"),
    (10**9, "100M<n<1B"),
    (10**12, "1B<n<1T"),
)


@dataclass(frozen=True)
class Files:
    """The files of a split of a config, and what is in them."""

    path: str
    """A pattern, from the directory of the card."""
    rows: int
    bytes: int
    """What the rows take up in memory, as Arrow."""


@dataclass(frozen=True)
class Config:
    """A named part of the data set, by split."""

    name: str
    splits: Mapping[str, Files]


def card(content: Content, configs: Sequence[Config], version: str) -> str:
    """The text of README.md. The first config is the one that loads by default and holds all."""
    return f"---\n{_front_matter(configs)}---\n\n{_text(content, configs, version)}"


def _front_matter(configs: Sequence[Config]) -> str:
    total = sum(files.rows for files in configs[0].splits.values())
    size = next((name for size, name in _SIZES if total < size), "n>1T")
    return "\n".join(
        [
            "license: apache-2.0",
            "language: [en]",
            'pretty_name: "symscale: the arithmetic of scaling machine-learning models"',
            "task_categories: [question-answering]",
            f"tags: [{', '.join(TAGS)}]",
            f"size_categories: ['{size}']",
            "configs:",
            *(line for config in configs for line in _files(config, default=config is configs[0])),
            "dataset_info:",
            *(line for config in configs for line in _sizes(config)),
            "",
        ]
    )


def _files(config: Config, *, default: bool) -> Iterator[str]:
    yield f"- config_name: {json.dumps(config.name)}"
    if default:
        yield "  default: true"
    yield "  data_files:"
    for split, files in config.splits.items():
        yield f"  - split: {split}"
        yield f"    path: {json.dumps(files.path)}"


def _sizes(config: Config) -> Iterator[str]:
    yield f"- config_name: {json.dumps(config.name)}"
    yield "  splits:"
    for split, files in config.splits.items():
        yield f"  - name: {split}"
        yield f"    num_bytes: {files.bytes}"
        yield f"    num_examples: {files.rows}"


def _text(content: Content, configs: Sequence[Config], version: str) -> str:
    splits = list(dict.fromkeys(split for config in configs for split in config.splits))
    sizes = [
        [f"`{config.name}`", *(_rows(config, split) for split in splits)] for config in configs
    ]
    forms = "\n\n".join(
        f"### {category}\n\n" + "\n".join(line for task in tasks for line in _closed_forms(task))
        for category, tasks in content.categories.items()
    )
    return f"""\
# The arithmetic of scaling machine-learning models

Quantitative questions about rooflines, training FLOPs, memory, collectives, parallelism and
inference, each with its exact answer key. Written by symscale {version}, seed {content.seed}.

{_table(["config", *splits], sizes)}

`{configs[0].name}` holds every category, `published` the questions of scaling-tasks-v1 at their
published values. No combination of values stands twice in a split, none in both training and test,
whatever the seeds, and the published ones are not in training.

## Rows

| field | what it holds |
| --- | --- |
| `id` | task/split/seed/index, from which symscale makes the row again |
| `question` | the question with its numbers and units, and how to answer |
| `answer` | the key, one JSON object, with numbers as decimals or `"p/q"` |
| `exact` | the key once more, every number exactly, as a text `p` or `p/q` |
| `columns` | the name, kind, unit of each cell, and whether it must match to the last digit |
| `parameters` | the numbers of the question, as texts `p` or `p/q`, each in its unit |
| `difficulty` | a level more for each doubling of steps, formulas, conversions and case splits |
| `task`, `category`, `split`, `seed`, `index` | where it comes from |
| `schema`, `task_hash`, `hash` | the version of rows, and digests of the task and of the row |

Numbers are texts because Arrow's own cannot hold all of them exactly.

## How the keys were verified

A key is evaluated in exact rational arithmetic from a closed form that is checked for its
dimensions. The closed forms are checked against SymPy's substitution in the derivation as it is
written, and against the published keys; `symscale verify` does this for all tasks, and
`symscale generate --check FILE` derives the rows of a file again.

## How to grade

```python
import symscale

grade = symscale.grade(row, completion)  # a row of this data set, and what a model wrote
grade.reward, grade.reason, grade.message
```

`pip install symscale`. The last JSON object of the completion counts, outside of reasoning. A
number is right within one part in 10^9, decided in integers, in any unit of the right dimension.
The reward is 1 or 0, with a reason for every cell. Give models the system prompt
`symscale.catalog.protocol.SYSTEM_PROMPT`.

## Closed forms

Letters and values are plain numbers in the units in parentheses.

{forms}
"""


def _rows(config: Config, split: str) -> str:
    return f"{config.splits[split].rows:,}" if split in config.splits else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _closed_forms(task: Task) -> Iterator[str]:
    letters = ", ".join(
        f"`{parameter.name}` {parameter.quantity.meaning}{_in(parameter.unit)}"
        for parameter in task.parameters.values()
    )
    yield f"- **{task.id}** {task.title}. {letters}"
    for column in task.columns:
        form = text(task.numeric[column.name])
        yield f"  - {column.name}{_in(column.unit)}: `{form}`"


def _in(unit: Unit) -> str:
    return "" if unit.text == "1" else f" ({unit})"
