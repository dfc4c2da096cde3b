"""Exact symbolic derivations for the arithmetic of scaling machine-learning models.

>>> import symscale
>>> task = symscale.load().tasks["sc-021"]
>>> task.instance(n=16, V="2 GB").answer.exact
[['1875000000', '1/96']]
"""

from importlib.metadata import version as _version

from symscale.catalog.derivation import Derivation as Derivation
from symscale.catalog.formulas import Formula as Formula
from symscale.catalog.instances import Answer as Answer
from symscale.catalog.instances import Instance as Instance
from symscale.catalog.loader import Catalog as Catalog
from symscale.catalog.loader import load as load
from symscale.catalog.quantities import Quantity as Quantity
from symscale.catalog.tasks import Task as Task
from symscale.errors import SymscaleError as SymscaleError

__version__ = _version("symscale")
