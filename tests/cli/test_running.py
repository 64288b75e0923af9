"""`verify run`, `verify replay`, `verify table`, and `verify audit` of directories and standard input."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from verifier.cli.entry import main

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "constructions"


def exit_code(*arguments: str) -> int:
    return main(list(arguments))


def test_run_prints_outputs_and_the_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    code = exit_code("run", "until", "--string", "phi=110 psi=001", "--simulation", "temperature")
    out = capsys.readouterr().out
    assert code == 0
    assert "soft attention" in out
    assert "hard attention" in out
    assert "claimed" in out


def test_run_as_json_has_rows_of_weights(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("run", "since", "--string", "phi=110 psi=001", "--format", "json") == 0
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [one["simulation"] for one in runs] == ["position-embedding", "temperature"]
    assert all(abs(sum(row) - 1) < 1e-12 for one in runs for row in one["soft_weights"])


def test_run_reads_a_file_of_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text((LIBRARY / "once.toml").read_text(encoding="utf-8"), encoding="utf-8")
    assert exit_code("run", str(mine), "--string", "phi=0100", "--query", "3") == 0
    assert "attention row of query i = 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--string", "phi=11"], "expected values for phi, psi"),
        (["--string", "phi=11 psi=01", "--query", "3"], "--query: expected a whole number from 1 to 2"),
        (["--string", "phi=11 psi=01", "--png", "x.png"], "--png: draws one simulation"),
    ],
)
def test_run_refuses(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("run", "until", *arguments) == 2
    assert message in capsys.readouterr().err


def test_a_picture_is_written_whole(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    picture = tmp_path / "a.png"
    given = ["run", "until", "--string", "phi=11 psi=01", "--simulation", "temperature"]
    assert exit_code(*given, "--png", str(picture)) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["a.png"]
    assert exit_code(*given, "--png", str(tmp_path / "missing" / "a.png")) == 4


def test_audit_reads_directories_and_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (LIBRARY / "previous.toml").read_text(encoding="utf-8")
    (tmp_path / "a.toml").write_text(text, encoding="utf-8")
    (tmp_path / "b.toml").write_text(text.replace('"Y phi"', '"X phi"'), encoding="utf-8")
    assert exit_code("audit", str(tmp_path), "--max-n", "8") == 1
    assert "1 proved, 1 refuted" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert exit_code("audit", "-", "--max-n", "8") == 0


def test_an_empty_directory_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("audit", str(tmp_path)) == 2
    assert "expected construction files" in capsys.readouterr().err


def test_a_witness_is_replayed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("construction", "until", "--param", "c=1", "--max-n", "8", "--format", "json") == 1
    report = tmp_path / "report.json"
    report.write_text(capsys.readouterr().out, encoding="utf-8")
    assert exit_code("replay", str(report), "--format", "json") == 1
    replays = json.loads(capsys.readouterr().out)["replays"]
    assert [one["confirmed"] for one in replays] == [True, True]
    assert all(one["error"] > one["claim"] == 0.25 for one in replays)


def test_what_is_no_witness_is_a_usage_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nothing = tmp_path / "nothing.json"
    nothing.write_text("{}", encoding="utf-8")
    assert exit_code("replay", str(nothing)) == 2
    assert "expected a witness object" in capsys.readouterr().err


def test_the_table_puts_bounds_beside_suprema(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code("table", "until", "parity", "--n", "64", "--format", "json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document["n"] == 64
    for row in document["rows"]:
        assert row["scope"] == "every n"
        assert 1 <= row["ratio"] < 1.05
    needs = {(row["construction"], row["simulation"]): row for row in document["rows"]}
    temperature = needs["parity", "temperature"]
    assert temperature["position_embedding_growth"] == "bounded"
    assert temperature["inverse_temperature_growth"] == "quadratic"
    assert needs["parity", "position-embedding"]["position_embedding_growth"] == "quadratic"
    assert needs["until", "temperature"]["key_dimension"] == 1
