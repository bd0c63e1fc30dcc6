"""The settings that all learners have. Does not import JAX."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate


@dataclass(frozen=True)
class LearnerConfig:
    """The settings that all learners have; instances are valid, or `UserError` is raised."""

    seed: int = setting(0, "random seed of the run", minimum=0, maximum=2**32 - 1)
    deals_per_update: int = setting(1024, "deals played for each update", minimum=1)

    fixed: ClassVar[tuple[str, ...]] = ("seed",)
    """Settings that are fixed for a run: a resumed run cannot change them."""

    numbers: ClassVar[tuple[str, ...]] = ()
    """Settings that a compiled step can take as inputs, so that runs with several values share it."""

    retired: ClassVar[Mapping[str, Any]] = {}
    """Settings of earlier versions, with their defaults. A file may contain them with these values."""

    earlier: ClassVar[Mapping[str, Any]] = {}
    """Values of settings that are missing in run folders of earlier versions."""

    def __post_init__(self) -> None:
        validate(self)

    @property
    def shared_deals(self) -> int:
        """The deals that all devices divide evenly, such as those of a gradient step."""
        return self.deals_per_update

    def check_devices(self, num_devices: int) -> None:
        """Raise `UserError` unless this number of devices can share the work evenly."""
        if self.shared_deals % num_devices:
            raise UserError(
                f"{num_devices} devices cannot share {self.shared_deals} deals evenly: "
                "change deals_per_update or devices"
            )
