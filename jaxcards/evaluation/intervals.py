"""Confidence intervals of means and of shares, and the smallest difference that a sample can show.

The deals are the sample: deals are independent, but the seatings of one deal are not, and must be
averaged first.
"""

import dataclasses
import math
from statistics import NormalDist

import numpy as np

CONFIDENCE = 0.95
_Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)  # 1.96
_POWER = 0.8
_Z_POWER = NormalDist().inv_cdf(_POWER)  # 0.84

# Two-sided 95 % quantiles of Student's t for 1 to 9 degrees of freedom, where the series is poor.
_STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622)


@dataclasses.dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    def __neg__(self) -> "Interval":
        return Interval(_negative(self.mean), _negative(self.high), _negative(self.low))

    def complement(self) -> "Interval":
        """Return the interval of 1 - x, for example of losing from that of winning."""
        return Interval(1 - self.mean, 1 - self.high, 1 - self.low)

    def excludes(self, value: float) -> bool:
        """Return whether the value lies outside."""
        return not self.low <= value <= self.high


def mean_interval(values: np.ndarray) -> Interval:
    """Return the mean of independent values (float[n], n >= 2) with Student's 95 % interval.

    For paired comparisons the values are the differences of the pairs.
    """
    values = np.asarray(values, np.float64)
    mean = float(values.mean())
    half = student_quantile(values.size - 1) * float(values.std(ddof=1)) / math.sqrt(values.size)
    return Interval(mean, mean - half, mean + half)


def share_interval(share: float, n: int, tied: float = 0.0) -> Interval:
    """Return Wilson's 95 % score interval of a share of n independent trials; ties count half.

    A trial that may be tied varies less than one that is won or lost, as if there were more trials: n
    is divided by the ratio of both variances, the design effect. For this ratio alone, one won and one
    lost trial are added, which keeps it finite; without ties it is 1. Sources: E. B. Wilson, "Probable
    inference, the law of succession, and statistical inference", JASA 22 (1927); E. L. Korn and B. I.
    Graubard, "Confidence intervals for proportions with small expected number of positive counts
    estimated from survey data", Survey Methodology 24 (1998).

    Args:
      share: of the trials won, ties counting half.
      n: number of trials.
      tied: share of the trials tied.
    """
    smooth = (share * n + 1) / (n + 2)
    unlike = smooth * (1 - smooth)
    # A trial has the variance p (1 - p), less a quarter of the chance of a tie.
    trials = n * unlike / (unlike - tied * n / (n + 2) / 4)
    # Wilson's centre and half width, for that number of trials.
    weight = _Z**2 / trials
    centre = (share + weight / 2) / (1 + weight)
    half = _Z / (1 + weight) * math.sqrt(share * (1 - share) / trials + weight / (4 * trials))
    return Interval(share, max(0.0, centre - half), min(1.0, centre + half))


def detectable_difference(sd: float, n: int) -> float:
    """Return the smallest true difference that n pairs show in four of five experiments.

    (1.96 + 0.84) * sd / sqrt(n): power 80 % of a two-sided test at 5 %.

    Args:
      sd: standard deviation of the differences of pairs.
      n: number of pairs.
    """
    return (_Z + _Z_POWER) * sd / math.sqrt(n)


def student_quantile(degrees: int) -> float:
    """Return the two-sided 95 % quantile of Student's t distribution.

    From ten degrees of freedom on, use the series of Abramowitz and Stegun, 26.7.5, whose error there
    is below 1e-4.
    """
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    z = _Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / degrees**power for power, term in enumerate(terms, start=1))


def _negative(x: float) -> float:
    return 0.0 - x  # never -0.0
