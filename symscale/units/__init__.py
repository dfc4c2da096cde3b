"""Dimensions, units of exact scale, and quantities in text."""

from symscale.units.dimension import COUNTS as COUNTS
from symscale.units.dimension import ONE as ONE
from symscale.units.dimension import Dimension as Dimension
from symscale.units.parser import MAX_UNIT_LENGTH as MAX_UNIT_LENGTH
from symscale.units.system import UnitSystem as UnitSystem
from symscale.units.unit import UNITLESS as UNITLESS
from symscale.units.unit import Unit as Unit
from symscale.units.unit import convert as convert
from symscale.units.unit import quantity_text as quantity_text
