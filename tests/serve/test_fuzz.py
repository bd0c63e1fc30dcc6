"""A fuzzer that reads the schema of the API finds no request that breaks the server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_no_request_is_a_server_error(server, tmp_path):
    script = Path(sys.executable).parent / "schemathesis"
    if not script.exists() and shutil.which("schemathesis") is None:
        pytest.skip("schemathesis is not installed")
    seat = server.sit("euchre")
    command = [str(script), "run", f"{server.address}/openapi.json", "--max-examples", "60"]
    command += ["--checks", "not_a_server_error", "--exclude-path-regex", "events$", "--seed", "1"]
    command += ["--header", f"Authorization: Bearer {seat.token}", "--request-timeout", "120"]
    # The table that is there is asked for as well as those that are made up.
    for given in ([], ["--include-path-regex", "health"]):
        done = subprocess.run([*command, *given], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:]
    assert seat.look()["status"] == "playing" and server.client.get("/health").status_code == 200
