"""Random play in one kernel: the numbers of the loop that XLA compiles, and what a GPU can lower.

Without a GPU the kernel runs in Pallas' interpret mode, and is lowered to Triton, but not compiled.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from jaxcards import throughput
from jaxcards.bench.gpu import kernel
from jaxcards.errors import UserError
from jaxcards.testing.deals import quick_jit

GAMES = ["jass", "jass/differenzler", "belote", "euchre", "rikiki", "sheepshead"]
BATCH, NUM_BATCHES, BLOCK = 16, 3, 8
has_gpu = jax.default_backend() == "gpu"


def assert_same(ours, theirs):
    for name, a, b in zip(theirs._fields, jax.device_get(ours), jax.device_get(theirs), strict=True):
        assert a.dtype == b.dtype and a.shape == b.shape, name
        np.testing.assert_array_equal(a, b, err_msg=name)


@pytest.mark.parametrize(
    "id", [GAMES[0], *(pytest.param(id, marks=pytest.mark.slow) for id in (*GAMES[1:5], "sheepshead"))]
)
def test_the_kernel_plays_what_the_loop_plays(id):
    game = jaxcards.make(id)
    function = kernel.tally_of_seed(game, BATCH, NUM_BATCHES, block=BLOCK, num_warps=1, interpret=True)
    ours, theirs = quick_jit(function), throughput.random_play(game, BATCH, NUM_BATCHES)
    for seed in (0, 2**32 - 1):
        tally = theirs(jnp.uint32(seed))
        assert_same(ours(jnp.uint32(seed)), tally)
    assert tally.points.any() and int(tally.unfinished) == 0


@pytest.mark.slow
def test_unfinished_deals_are_noticed(monkeypatch):
    game = jaxcards.make("jass/tournament")
    monkeypatch.setattr(type(game), "max_steps", 36)  # too few for a bid and 36 cards
    play = quick_jit(kernel.tally_of_seed(game, 4, 2, block=4, num_warps=1, interpret=True))
    tally = play(jnp.uint32(0))
    assert int(tally.unfinished) == 8 and int(tally.lowest) < 314


@pytest.mark.skipif(not has_gpu, reason="needs a GPU")
@pytest.mark.parametrize("id", GAMES)
@pytest.mark.parametrize("block, num_warps", [(128, 4), (256, 4), (64, 1)])
def test_on_a_gpu(id, block, num_warps):
    game = jaxcards.make(id)
    ours = kernel.random_play(game, 1 << 12, 4, block=block, num_warps=num_warps)
    assert_same(ours(jnp.uint32(3)), throughput.random_play(game, 1 << 12, 4)(jnp.uint32(3)))


# ---- What a GPU can lower ------------------------------------------------------------------------


def inner_jaxprs(equation):
    for value in equation.params.values():
        for item in value if isinstance(value, (tuple, list)) else [value]:
            jaxpr = getattr(item, "jaxpr", item)
            if hasattr(jaxpr, "eqns"):
                yield jaxpr


def equations(jaxpr):
    for equation in jaxpr.eqns:
        yield equation
        for inner in inner_jaxprs(equation):
            yield from equations(inner)


@pytest.fixture(scope="module", params=GAMES)
def function(request):
    """The function of a game for a GPU, not yet traced."""
    game = jaxcards.make(request.param)
    return jax.jit(kernel.tally_of_seed(game, 1024, 64, block=128, num_warps=4))


SEED = jax.ShapeDtypeStruct((), jnp.uint32)


def test_every_operation_has_a_rule(function):
    try:  # inside of JAX, where names move; the next test fails if a rule is missing, wherever they are
        from jax._src.pallas.triton.lowering import triton_lowering_rules as rules
    except ImportError as error:
        pytest.skip(f"this version of JAX keeps its rules elsewhere ({error})")
    call = next(
        e for e in equations(function.trace(SEED).jaxpr.jaxpr) if e.primitive.name == "pallas_call"
    )
    (body,) = inner_jaxprs(call)
    assert not body.constvars
    inside = list(equations(body))
    assert len(inside) > 500
    missing = {e.primitive.name for e in inside if e.primitive not in rules}
    assert not missing
    for equation in inside:
        for variable in equation.outvars:
            shape = getattr(variable.aval, "shape", ())
            assert shape in ((), (128,)), f"{equation.primitive.name} has shape {shape}"
        # Their lowering for unsigned integers is one that Triton cannot compile.
        if equation.primitive.name in ("population_count", "clz"):
            assert equation.invars[0].aval.dtype == jnp.int32


@pytest.mark.filterwarnings("ignore:The Pallas Triton backend:DeprecationWarning")
def test_it_lowers_to_triton(function):
    """The whole lowering to Triton's language runs on any machine; compiling that takes a GPU."""
    text = lower_for_gpu(function).as_text()
    assert "xla.gpu.triton" in text and "grid_x = 8 " in text and "num_warps = 4 " in text
    assert "__nv_popc" in text and "ctpop" not in text


def lower_for_gpu(function):
    if has_gpu or jax.__version_info__ < (0, 11):
        return function.trace(SEED).lower(lowering_platforms=("cuda",))
    from jax.sharding import AbstractDevice, AbstractMesh, use_abstract_mesh

    device = AbstractDevice(device_kind="NVIDIA H200", num_cores=None, platform="gpu")
    with use_abstract_mesh(AbstractMesh((), (), abstract_device=device)):
        return function.trace(SEED).lower(lowering_platforms=("cuda",))


# ---- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "numbers, message",
    [
        ({"block": 96}, "block must be a power of two, not 96"),
        ({"num_warps": 3}, "num_warps must be a power of two, not 3"),
        ({"batch": 100}, "batch must be a multiple of block: 100 is none of 128"),
        ({"num_batches": 0}, "at least 1 and their product below"),
    ],
)
def test_bad_input(numbers, message):
    arguments = {"batch": 128, "num_batches": 1, "interpret": True} | numbers
    with pytest.raises(UserError, match=message):
        kernel.random_play(jaxcards.make("euchre"), **arguments)


@pytest.mark.skipif(has_gpu, reason="there is a GPU")
def test_without_a_gpu():
    with pytest.raises(UserError, match="needs a GPU, and JAX found 'cpu'"):
        kernel.random_play(jaxcards.make("euchre"), 128, 1)
