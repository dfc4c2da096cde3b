"""Dimensions and units: an algebra, exact scales, and texts that are read one way only."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symscale.errors import CatalogError, DimensionError, SymscaleError, UnitError
from symscale.units import ONE, Dimension, Unit, UnitSystem, convert

BASES = ("flop", "byte", "s", "token", "param", "USD", "J", "kg")

powers = st.fractions(-4, 4, max_denominator=3)
dimensions = st.dictionaries(st.sampled_from(BASES), powers, max_size=4).map(
    lambda exponents: _product(exponents)
)


def _product(exponents: dict[str, Fraction]) -> Dimension:
    product = ONE
    for base, power in exponents.items():
        product = product * Dimension.of(base) ** power
    return product


class TestDimensions:
    @given(dimensions, dimensions, dimensions)
    def test_they_form_a_commutative_group(self, a: Dimension, b: Dimension, c: Dimension) -> None:
        assert a * b == b * a
        assert (a * b) * c == a * (b * c)
        assert a * ONE == a
        assert a / a == ONE

    @given(dimensions, powers, powers)
    def test_powers_add_and_multiply(self, a: Dimension, x: Fraction, y: Fraction) -> None:
        assert a**x * a**y == a ** (x + y)
        assert (a**x) ** y == a ** (x * y)

    @given(dimensions)
    def test_no_zero_exponent_is_kept(self, a: Dimension) -> None:
        assert all(power for _, power in (a * a).exponents)
        assert (a ** Fraction(0)).is_one

    @given(dimensions)
    def test_the_text_of_a_dimension_is_a_unit_of_it(self, units: UnitSystem, a: Dimension) -> None:
        unit = units.parse(str(a))
        assert unit.dimension == a
        assert unit.scale == 1


class TestScales:
    @pytest.mark.parametrize(
        ("text", "scale", "base"),
        [
            ("GB", 10**9, "byte"),
            ("GiB", 2**30, "byte"),
            ("kB", 1000, "byte"),
            ("KiB", 1024, "byte"),
            ("TiB", 2**40, "byte"),
            ("gigabytes", 10**9, "byte"),
            ("gibibytes", 2**30, "byte"),
            ("bit", "1/8", "byte"),
            ("Gbit", 125 * 10**6, "byte"),
            ("Gb", 125 * 10**6, "byte"),
            ("TFLOP", 10**12, "flop"),
            ("PFLOPs", 10**15, "flop"),
            ("hour", 3600, "s"),
            ("day", 86400, "s"),
            ("ms", "1/1000", "s"),
            ("µs", "1/1000000", "s"),
            ("us", "1/1000000", "s"),
            ("%", "1/100", "1"),
            ("$", 1, "USD"),
            ("cents", "1/100", "USD"),
            ("kWh", 3600000, "J"),
            ("MW", 10**6, "J/s"),
            ("chip", 1, "1"),
            ("devices", 1, "1"),
            ("Mtoken", 10**6, "token"),
            ("flop/s/device", 1, "flop/s"),
            ("TFLOPS", 10**12, "flop/s"),
            ("TFLOP/s", 10**12, "flop/s"),
            ("GBps", 10**9, "byte/s"),
            ("Gbps", 125 * 10**6, "byte/s"),
            ("$/chip/hour", "1/3600", "USD/s"),
            ("USD/Mtoken", "1/1000000", "USD/token"),
            ("byte/param", 1, "byte/param"),
            ("bytes per param", 1, "byte/param"),
            ("tokens per second", 1, "token/s"),
            ("1/s", 1, "1/s"),
            ("flop/token**2", 1, "flop/token**2"),
            ("byte^2", 1, "byte**2"),
            ("GB*s/token", 10**9, "byte*s/token"),
            ("GB/(s*chip)", 10**9, "byte/s"),
            ("g", "1/1000", "kg"),
            ("Hz", 1, "1/s"),
        ],
    )
    def test_of_units(self, units: UnitSystem, text: str, scale: object, base: str) -> None:
        unit = units.parse(text)
        assert unit.scale == Fraction(str(scale))
        assert str(unit.dimension) == base

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("byte/s*token", "reads two ways"),
            ("GB/s/device*2", "reads two ways"),
            ("gb", "'gb' is not a known unit"),
            ("Gbit/s/", "a unit is missing"),
            ("", "a unit is missing"),
            ("GB GB", "'GB' is not expected here"),
            ("GB**", "an exponent is an integer"),
            ("GB**99", "an exponent is an integer up to 12"),
            ("GB**0.5", "'.' cannot stand in a unit"),
            ("2 GB", "'2' is not a known unit"),
            ("(GB", "a ) is missing"),
            ("(" * 30 + "GB", "nested too deeply"),
            ("byte**(1/0)", "divides by zero"),
            ("GB**(1/2)", "a fractional power needs a unit of scale 1"),
            ("x" * 101, "at most 100 characters"),
            ("GΒ", "is not a known unit"),
        ],
    )
    def test_refusals(self, units: UnitSystem, text: str, message: str) -> None:
        with pytest.raises(UnitError) as error:
            units.parse(text)
        assert message in str(error.value)

    @given(st.text(max_size=120))
    def test_any_text_is_read_or_refused(self, units: UnitSystem, text: str) -> None:
        try:
            unit = units.parse(text)
        except SymscaleError:
            return
        assert unit.scale > 0

    def test_every_spelling_is_positive_and_says_one_thing(self, units: UnitSystem) -> None:
        for spelling, unit in units.names.items():
            assert unit.scale > 0
            assert units.parse(spelling) == unit


class TestConversion:
    @given(
        st.fractions(),
        st.sampled_from(["byte", "bit", "GB", "GiB", "Mbit", "TiB"]),
        st.sampled_from(["byte", "bit", "GB", "GiB", "Mbit", "TiB"]),
    )
    def test_round_trip(self, units: UnitSystem, value: Fraction, a: str, b: str) -> None:
        there = convert(value, units.parse(a), units.parse(b))
        assert convert(there, units.parse(b), units.parse(a)) == value

    def test_a_gibibyte_is_not_a_gigabyte(self, units: UnitSystem) -> None:
        ratio = convert(Fraction(1), units.parse("GiB"), units.parse("GB"))
        assert ratio == Fraction("1.073741824")

    def test_different_dimensions_do_not_convert(self, units: UnitSystem) -> None:
        with pytest.raises(DimensionError, match=r"GFLOP measures flop, where GB \(byte\)"):
            convert(Fraction(1), units.parse("GFLOP"), units.parse("GB"))

    @pytest.mark.parametrize(
        ("text", "value", "unit"),
        [
            ("2 GB", 2, "GB"),
            ("2GB", 2, "GB"),
            (" 4.0e14 flop/s/device ", 4 * 10**14, "flop/s/device"),
            ("-1/3 s", "-1/3", "s"),
            ("90%", 90, "%"),
            ("5", 5, "1"),
            ("39400/81 flop/byte", "39400/81", "flop/byte"),
        ],
    )
    def test_reading_a_quantity(
        self, units: UnitSystem, text: str, value: object, unit: str
    ) -> None:
        number, found = units.read(text)
        assert (number, found.text) == (Fraction(str(value)), unit)

    @pytest.mark.parametrize("text", ["", "GB", "two GB", "2 GB 3", "1,000 GB", "0x2 GB", "²"])
    def test_what_is_not_a_quantity(self, units: UnitSystem, text: str) -> None:
        with pytest.raises(SymscaleError):
            units.read(text)

    def test_the_fitting_unit_keeps_the_number_above_one(self, units: UnitSystem) -> None:
        choices = ["byte", "KiB", "MiB", "GiB", "TiB"]
        byte = units.parse("byte")
        for size, expected in ((512, "byte"), (2048, "KiB"), (3 * 2**30, "GiB"), (2**60, "TiB")):
            assert units.fitting(Fraction(size), byte, choices).text == expected
        assert units.fitting(Fraction(1, 2), byte, choices).text == "byte"


class TestTables:
    @pytest.mark.parametrize(
        ("table", "message"),
        [
            ({"units": {"x": {}}}, "units.x: say what it is in other units"),
            ({"units": {"x": {"is": "2 y"}}}, "'y' is not a known unit"),
            ({"units": {"x": {"is": "-2"}}}, "the scale of a unit is positive"),
            ({"units": {"x": {"is": "0"}}}, "the scale of a unit is positive"),
            ({"units": 5}, "units: is a table, not 5"),
            ({"units": {"x": 5}}, "units.x: is a table, not 5"),
            ({"units": {"x": {"is": 5}}}, "say what it is in other units"),
            ({"units": {"x": {"is": "1", "names": 5}}}, "names is a list of texts"),
            ({"units": {"x": {"is": "1", "symbols": [5]}}}, "symbols is a list of texts"),
            ({"units": {"x": {"is": "1", "prefixes": [["a"]]}}}, "prefixes is a list of texts"),
            ({"units": {"x1": {"is": "1"}}}, "a spelling is a word of letters"),
            ({"units": {"a b": {"is": "1"}}}, "a spelling is a word of letters"),
            ({"prefixes": {"f": 5}}, "prefixes.f: is a table"),
            ({"prefixes": {"f": {"q": 5}}}, "prefixes.f.q: is a table"),
            ({"prefixes": {"f": {"q": {}}}}, "prefixes.f.q: 'None' is not a decimal number"),
            ({"prefixes": {"f": {"q": {"name": "q", "scale": "-1"}}}}, "a positive scale"),
            ({"prefixes": {"f": {"q": {"name": 5, "scale": "1"}}}}, "a prefix has a name"),
            ({"prefixes": {"f": {"q": {"name": "q", "scale": 1, "x": 1}}}}, "'x' is not a key"),
            ({"units": {"x": {"is": "1", "colour": 1}}}, "'colour' is not a key here"),
            ({"units": {"x": {"is": "1", "prefixes": ["odd"]}}}, "no family of prefixes"),
            (
                {"units": {"x": {"is": "1", "symbols": ["q"]}, "y": {"is": "2", "symbols": ["q"]}}},
                "units.y: the spelling 'q' already names another unit",
            ),
        ],
    )
    def test_a_wrong_table_names_its_key(self, table: dict[str, object], message: str) -> None:
        with pytest.raises(CatalogError) as error:
            UnitSystem.from_table({"base": [], **table})
        assert message in str(error.value)

    def test_two_names_of_one_unit_are_fine(self) -> None:
        table = {"base": ["x"], "units": {"x": {"symbols": ["x", "X"]}, "same": {"is": "1 X"}}}
        system = UnitSystem.from_table(table)
        assert system.parse("same") == Unit("same", Fraction(1), Dimension.of("x"))
