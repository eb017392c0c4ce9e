"""Numeric settings of a player to be tuned, each between two limits."""

import math
from dataclasses import dataclass
from typing import Any

import optuna

from tengen.composed_config import ComposedConfig, entries_of, settings_of
from tengen.errors import TengenError, shortened


@dataclass(frozen=True)
class Parameter:
    """A numeric setting of a player to be tuned."""

    name: str
    low: float
    high: float
    is_log: bool = False
    is_whole: bool = False

    @classmethod
    def parse(cls, text: str, config: Any) -> "Parameter":
        """Parse a parameter such as bias=0.001..0.1:log, for a key of a player's config."""
        name, _, limits = text.partition("=")
        span, _, scale = limits.partition(":")
        settings, entries = settings_of(config), entries_of(config)
        known = {key: entries[key] for key in settings if type(entries[key].default) in (int, float)}
        if name not in known:
            reason = f"{shortened(name)} is not a numeric setting of the player"
            if isinstance(config, ComposedConfig) and name in config.known_keys() and name not in settings:
                reason = config.why_without_effect(name)
            raise TengenError(f"{reason}; choose from: {', '.join(known)}")
        try:
            low, high = (float(part) for part in span.split(".."))
        except ValueError:
            raise TengenError(
                f"{shortened(text)} has no limits: write {name}=low..high or {name}=low..high:log"
            ) from None
        least, most = known[name].metadata["low"], known[name].metadata["high"]
        if not (math.isfinite(low) and math.isfinite(high) and least <= low < high <= most):
            raise TengenError(
                f"the limits of {name} must be two numbers from {least:g} to {most:g}, the smaller one first"
            )
        if scale not in ("", "log") or (scale == "log" and low <= 0):
            raise TengenError(f"{shortened(text)}: the only scale is log, and it needs limits above 0")
        is_whole = isinstance(known[name].default, int)
        if is_whole and not (low.is_integer() and high.is_integer()):
            raise TengenError(f"the limits of {name} must be whole numbers")
        return cls(name, low, high, scale == "log", is_whole)

    def value(self, scaled: float) -> float | int:
        """Return the value at a scaled position from -1 to 1."""
        share = (min(1.0, max(-1.0, scaled)) + 1) / 2
        if self.is_log:
            found = math.exp(math.log(self.low) + share * (math.log(self.high) - math.log(self.low)))
        else:
            found = self.low + share * (self.high - self.low)
        rounded = round(found) if self.is_whole else float(f"{found:.4g}")
        return type(rounded)(min(self.high, max(self.low, rounded)))

    def scaled(self, value: float) -> float:
        """Return the scaled position of a value between the limits, from -1 to 1."""
        if self.is_log:
            return 2 * (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low)) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1

    def distribution(self) -> optuna.distributions.BaseDistribution:
        if self.is_whole:
            return optuna.distributions.IntDistribution(round(self.low), round(self.high), log=self.is_log)
        return optuna.distributions.FloatDistribution(self.low, self.high, log=self.is_log)
