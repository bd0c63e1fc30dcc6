"""Tests that every game has: the compiled game agrees with its reference in plain Python."""

from collections.abc import Callable, Collection, Iterable

import pytest
from support.marks import by_cost

from games.playout import Playouts, check_after_the_end


def agreement(
    playouts: Playouts, rules_of: Callable, variants: Iterable[str], rare: Collection[str], many: int
) -> tuple[Callable, ...]:
    """Return four tests of each variant: moments, rules, the end of deals, and more moments.

    Args:
      playouts: of the game.
      rules_of: returns the rules of a variant as the page has them.
      variants: their names.
      rare: those that the slow tests play. Of the others the fast tests play the first two.
      many: batches of the last test, which is slow.
    """
    variants = list(variants)
    frequent = [name for name in variants if name not in rare][:2]
    every_variant = pytest.mark.parametrize("name", by_cost(variants, {*variants} - {*frequent}))

    @every_variant
    def every_moment(name):
        playouts.check(name, *playouts.random_record(name), rows=range(playouts.batch))

    @pytest.mark.parametrize("name", variants)
    def rules_are_those_of_the_page(name):
        assert vars(playouts.game_of(name).rules) == vars(rules_of(name))

    @every_variant
    def after_the_end(name):
        check_after_the_end(playouts.random_record(name)[1])

    @pytest.mark.slow
    @every_variant
    def every_moment_of_many_deals(name):
        for seed in range(100, 100 + many):
            playouts.check(name, *playouts.played(name, playouts.batch, seed))

    return every_moment, rules_are_those_of_the_page, after_the_end, every_moment_of_many_deals
