"""`symscale prove`."""

from __future__ import annotations

import click

from symscale.cli.output import catalog_of, json_option, show_result
from symscale.cli.values import words_option


@click.command("prove")
@click.argument("claim")
@words_option("--where", metavar="CONDITION ...", help="Comparisons that limit the claim.")
@click.option("--markdown", is_flag=True, help="Print Markdown.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, claim: str, where: tuple[str, ...], markdown: bool, as_json: bool
) -> int:
    """Prove or refute that two expressions are equal.

    The claim may also be the id of one of the catalog's identities.

    \b
    symscale prove "ring_all_reduce_bytes(V, n) = 2*ring_all_gather_bytes(V, n)"
    """
    from symscale.engine.documents import proof_document
    from symscale.engine.identities import prove, prove_identity

    catalog = catalog_of(ctx)
    if claim in catalog.identities:
        proof = prove_identity(catalog, catalog.identities[claim])
    else:
        proof = prove(catalog, claim, where=where)
    show_result(proof.data, proof_document(proof), as_json=as_json, markdown=markdown)
    return 0 if proof else 1
