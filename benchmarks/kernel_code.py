"""Compiles the kernel for an H200 without a GPU, looks at its code, and executes that on a processor.

    python benchmarks/kernel_code.py

Needs `pip install triton`, whose compiler stands in for the one inside of XLA. For one preset of each
game: registers, spills, the instructions of a step and of a deal; and the tally of some thousand deals,
computed from the PTX by benchmarks/ptx.py, must be that of `jaxcards.throughput`, entry by entry.
"""

import argparse
import contextlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # the checkout that this file belongs to
sys.path.insert(0, str(HERE))

import ptx  # noqa: E402

BATCH, NUM_BATCHES, SEEDS = 4096, 4, (5, 2**32 - 1)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    games = ["jass", "belote", "euchre", "rikiki", "sheepshead"]
    parser.add_argument("--games", nargs="+", default=games, help="ids")
    parser.add_argument("--block", type=int, default=128, help="deals of a program")
    parser.add_argument("--warps", type=int, default=4, help="warps of a program")
    parser.add_argument("--results", type=Path, default=HERE / "results", help="folder to write to")
    return parser.parse_args()


def triton_text(function) -> str:
    """Returns the kernel in Triton's language, out of what JAX would hand to XLA."""
    import jax
    import jax.numpy as jnp

    # There is no public way to the module inside of the call.
    from jax._src.interpreters import mlir
    from jax._src.lib import triton
    from jax._src.lib.mlir import ir

    seed = jax.ShapeDtypeStruct((), jnp.uint32)
    with abstract_gpu():
        lowered = jax.jit(function).trace(seed).lower(lowering_platforms=("cuda",))
    text = next(filter(None, map(kernel_bytes, operations(lowered.compiler_ir().operation))))
    context = mlir.JaxIrContext()
    context.append_dialect_registry(mlir.upstream_dialects)
    triton.dialect.register_dialect(context)
    with context:
        return ir.Module.parse(text).operation.get_asm()


def abstract_gpu():
    import jax

    if jax.__version_info__ < (0, 11):  # takes a Hopper GPU if there is none
        return contextlib.nullcontext()
    from jax.sharding import AbstractDevice, AbstractMesh, use_abstract_mesh

    device = AbstractDevice(device_kind="NVIDIA H200", num_cores=None, platform="gpu")
    return use_abstract_mesh(AbstractMesh((), (), abstract_device=device))


def operations(operation):
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from operations(inner.operation)


def kernel_bytes(operation) -> bytes | None:
    from jax._src.lib.mlir import ir

    for name in ("mhlo.backend_config", "backend_config"):
        if operation.name == "stablehlo.custom_call" and name in operation.attributes:
            config = ir.DictAttr(operation.attributes[name])
            return ir.StringAttr(config["ir"]).value_bytes
    return None


def compile_for_h200(text: str, warps: int, folder: str) -> tuple[str, dict]:
    """Returns the PTX, and what there is to say about the machine code."""
    import triton
    from triton.backends.compiler import GPUTarget

    os.environ["TRITON_CACHE_DIR"] = str(Path(folder, "cache"))
    source, binary = Path(folder, "kernel.ttir"), Path(folder, "kernel.cubin")
    source.write_text(text)
    target, options = GPUTarget("cuda", 90, 32), {"num_warps": warps, "num_stages": 1}
    compiled = triton.compile(str(source), target=target, options=options)
    binary.write_bytes(compiled.asm["cubin"])
    tools = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
    usage = run(tools / "cuobjdump", "--dump-resource-usage", binary)
    step, batch = sorted(loop_sizes(run(tools / "nvdisasm", "-c", binary)))
    facts = {
        "registers": int(re.search(r"REG:(\d+)", usage)[1]),
        "local_bytes": int(re.search(r"LOCAL:(\d+)", usage)[1]),
        "instructions_of_a_step": step,
        "instructions_around_steps": batch - step,
    }
    return compiled.asm["ptx"], facts


def run(*command) -> str:
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def loop_sizes(assembly: str) -> list[int]:
    """Returns the number of instructions of each loop, inner ones included: jumps backwards."""
    labels, sizes, count = {}, [], 0
    for line in assembly.splitlines():
        if label := re.match(r"\s*(\.L_x_\d+):", line):
            labels[label[1]] = count
        elif instruction := re.match(r"\s*/\*[0-9a-f]+\*/\s+(.*?);", line):
            count += 1
            target = re.search(r"BRA.*?(\.L_x_\d+)", instruction[1])
            # The last instruction of a program jumps to itself.
            if target and labels.get(target[1], count) < count - 1:
                sizes.append(count - labels[target[1]])
    return sizes


def check(game, program: ptx.Program, block: int) -> None:
    """Exits unless the PTX gives the tally of XLA's loop."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    from jaxcards import throughput

    play = throughput.random_play(game, BATCH, NUM_BATCHES)
    for seed in SEEDS:
        *points, lowest, highest, unfinished = program.run(
            seed, BATCH // block, block, game.num_players + 3
        )
        got = [np.stack(points, -1), lowest.min(), highest.max(), unfinished.sum()]
        for name, a, b in zip(
            throughput.Tally._fields, got, jax.device_get(play(jnp.uint32(seed))), strict=True
        ):
            if not np.array_equal(a, b):
                sys.exit(f"wrong: {name} of {game.id} differ from XLA's, seed {seed}")


def main() -> int:
    args = parse_arguments()
    import jax

    try:
        import triton
    except ModuleNotFoundError:
        print("error: this needs Triton's compiler: pip install triton", file=sys.stderr)
        return 2
    import jaxcards
    from jaxcards.bench.gpu import kernel
    from jaxcards.errors import UserError
    from jaxcards.files import write_text

    games = {}
    for id in args.games:
        try:
            game = jaxcards.make(id)
            function = kernel.tally_of_seed(
                game, BATCH, NUM_BATCHES, block=args.block, num_warps=args.warps
            )
        except UserError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        with tempfile.TemporaryDirectory() as folder:
            code, facts = compile_for_h200(triton_text(function), args.warps, folder)
        check(game, ptx.Program(code), args.block)
        steps = game.max_steps * facts["instructions_of_a_step"]
        facts |= {
            "max_steps": game.max_steps,
            "instructions_of_a_deal": steps + facts["instructions_around_steps"],
            "equal_deals": BATCH * NUM_BATCHES * len(SEEDS),
        }
        games[game.id] = facts
        print(f"{game.id:24}", ", ".join(f"{name} {value:,}" for name, value in facts.items()))
    result = {
        "command": shlex.join(["python", "benchmarks/kernel_code.py", *sys.argv[1:]]),
        "target": "sm_90",
        "block": args.block,
        "num_warps": args.warps,
        "games": games,
        "versions": {"jax": jax.__version__, "triton": triton.__version__},
    }
    path = args.results / "sm90-kernel_code.json"
    args.results.mkdir(exist_ok=True)
    write_text(path, json.dumps(result, indent=2) + "\n")
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
