"""Constant factors that betray what went wrong."""

from __future__ import annotations

from fractions import Fraction

from symscale.numbers import decimal_text, exact_text

_PREFIXES = (
    ("kilo", "kB", "KiB"),
    ("mega", "MB", "MiB"),
    ("giga", "GB", "GiB"),
    ("tera", "TB", "TiB"),
    ("peta", "PB", "PiB"),
)

_FACTORS = {
    Fraction(8): "bits where bytes belong",
    Fraction(60): "minutes where seconds belong, or seconds where minutes do",
    Fraction(3600): "seconds where hours belong",
    Fraction(24): "hours where days belong",
    Fraction(86400): "seconds where days belong",
    Fraction(100): "a percentage where a fraction belongs",
    Fraction(
        2
    ): "a factor 2: multiply-adds against FLOPs, one direction against both, or one of two copies",
    Fraction(3): "a factor 3: the forward pass against a whole training step",
}


def factor_hint(ratio: Fraction) -> str:
    """What a constant ratio of a wrong value to the right one usually means; empty if nothing.

    >>> factor_hint(Fraction(10**9, 2**30))
    'GiB printed as GB: a factor of 1.073741824'
    """
    if ratio <= 0 or ratio == 1:
        return ""
    for power, (name, decimal, binary) in enumerate(_PREFIXES, 1):
        for factor, hint in (
            (Fraction(1000**power, 1024**power), f"{binary} printed as {decimal}"),
            (Fraction(1024**power, 1000**power), f"{decimal} printed as {binary}"),
        ):
            if ratio == factor:
                shown = decimal_text(max(factor, 1 / factor))
                return f"{hint}: a factor of {shown}"
        for size, word in ((1000**power, "1000"), (1024**power, "1024")):
            if ratio in (Fraction(size), Fraction(1, size)):
                return f"a factor of {word}^{power}: a {name} prefix too many or too few"
    for factor, hint in _FACTORS.items():
        if ratio in (factor, 1 / factor):
            return hint
    return f"a constant factor of {exact_text(ratio)}"
