"""The notebooks run from the first cell to the last, and show what they promise."""

from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
SHOWN = {  # pictures of a table, and plots
    "a_deal_and_its_pictures": (3, 0),
    "a_player_of_ones_own": (1, 1),
    "search_and_review": (1, 2),
    "ten_million_deals": (0, 1),
    "training_and_its_curve": (0, 1),
}


def test_every_notebook_is_listed():
    page = (NOTEBOOKS.parents[1] / "docs" / "notebooks.md").read_text()
    assert {file.stem for file in NOTEBOOKS.glob("*.py")} == set(SHOWN)
    assert all(f"{name}.py" in page for name in SHOWN)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    jupytext = pytest.importorskip("jupytext")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("DEALS", "100000")
    monkeypatch.setenv("MINUTES", "0.2")
    notebook = jupytext.read(NOTEBOOKS / f"{name}.py")
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=900, kernel_name="python3", resources=place).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert (kinds.count("text/html"), kinds.count("image/png")) == SHOWN[name]
    printed = "".join(output.get("text", "") for output in outputs)
    assert "Error" not in printed and "Traceback" not in printed
