"""What is known of the formulas of workbook files as they stand; forgotten with the rest of what is known of a file."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from yardkit.servers.sheets.engine.compute.engine_model import Model
from yardkit.servers.sheets.engine.compute.formula_index import FormulaIndex
from yardkit.servers.sheets.engine.package import file_cache
from yardkit.servers.sheets.engine.package.file_cache import Known, Version

MAX_MODELS = 2


@dataclass
class Calculation:
    """The formulas of one version of a file. Index and model belong to whoever took them out, and are put back for the
    version that the change made.

    Attributes:
        index: the formulas and who reads whom.
        model: the calculation engine's model with the values of this version.
        settled: whether all stored values of formulas were computed here.
    """

    index: FormulaIndex | None = None
    model: Model | None = None
    settled: bool = False


_calculations: WeakKeyDictionary[Known, Calculation] = WeakKeyDictionary()
_lock = threading.Lock()


def calculation_of(known: Known) -> Calculation:
    """What is known of the formulas of a version; at first nothing."""
    with _lock:
        return _calculations.setdefault(known, Calculation())


def remember_calculation(
    version: Version, known: Known, calculation: Calculation, instead_of: Version | None = None
) -> None:
    """Put what is known of a new version, its formulas too, in the place of the old one's.

    The latest versions keep their models, which are programs that run.
    """
    with _lock:
        _calculations[known] = calculation
        file_cache.remember_version(version, known, instead_of)
        remaining_calculations = [_calculations[entry] for entry in file_cache.list_latest() if entry in _calculations]
        for old in [other for other in remaining_calculations if other.model is not None][MAX_MODELS:]:
            old.model = None
