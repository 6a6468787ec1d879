"""Which adapter is taken: by name, by index, by the environment, by itself, and if there is none."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from wgprim_cli import ROOT, adapter_info, environment, random_words, refusal, run, run_json

sys.path.insert(0, str(ROOT / "tools"))
from vulkan_drivers import find_icd

# Neither Vulkan nor, where the tool would find that, OpenGL.
NO_ADAPTER = environment(
    VK_DRIVER_FILES="/nonexistent",
    VK_ICD_FILENAMES="/nonexistent",
    __EGL_VENDOR_LIBRARY_FILENAMES="/nonexistent",
)
ICDS = [icd for icd in map(find_icd, ("lavapipe", "swiftshader")) if icd]
HAS_SOFTWARE = any(adapter["software"] for adapter in adapter_info()["adapters"])


def taken(*options: str, **variables: str) -> tuple[int, str]:
    info = run_json("info", *options, env=environment(**variables))
    assert info["adapter"] == info["adapters"][info["index"]]["name"]
    return info["index"], info["reason"]


def test_adapters_are_numbered() -> None:
    adapters = adapter_info()["adapters"]
    assert [adapter["index"] for adapter in adapters] == list(range(len(adapters)))
    keys = {"index", "name", "vendor", "driver", "backend", "type", "software"}
    assert all(set(adapter) == keys for adapter in adapters)
    assert all((adapter["type"] == "software") is adapter["software"] for adapter in adapters)


def test_every_adapter_answers_to_its_index() -> None:
    for adapter in adapter_info()["adapters"]:
        assert taken("--adapter", str(adapter["index"]))[0] == adapter["index"]
        assert taken(WGPRIM_ADAPTER=str(adapter["index"]))[0] == adapter["index"]


@pytest.mark.when(len(ICDS) == 2)
def test_a_name_picks_among_several() -> None:
    """Part of it, in any case, by the option before the environment."""
    both = {"VK_DRIVER_FILES": os.pathsep.join(map(str, ICDS)), "WGPRIM_ADAPTER": ""}
    adapters = run_json("info", "--adapter=0", env=environment(**both))["adapters"]
    names = [adapter["name"] for adapter in adapters]
    for part in ("LLVMpipe", "swiftshader", "Subzero"):
        index, reason = taken("--adapter", part, **both)
        assert part.lower() in names[index].lower()
        assert reason == f"named '{part}' by the caller"
        assert taken(**both | {"WGPRIM_ADAPTER": part})[0] == index
        assert taken("--adapter", part, **both | {"WGPRIM_ADAPTER": "nonsense"})[0] == index


@pytest.mark.when(HAS_SOFTWARE)
def test_software_is_a_name() -> None:
    index, _ = taken("--adapter", "software")
    assert adapter_info()["adapters"][index]["software"]


def test_a_software_adapter_is_taken_loudly_where_no_gpu_is(folder: Path) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    said = run(*command, "--json", env=environment(WGPRIM_ADAPTER="")).stderr.decode()
    best = adapter_info()["adapters"][0]
    expected = f"wgprim: no GPU was found; running on the CPU ({best['name']}).\n"
    assert said == (expected if best["software"] else "")
    assert run(*command, "--adapter", "0").stderr == b""


@pytest.mark.parametrize("name", ["GeForce 256", "99", "-1", "0x0", "softwar e"])
def test_an_unknown_adapter_leaves_with_3(folder: Path, name: str) -> None:
    np.save(folder / "in.npy", random_words(10))
    command = ["scan", folder / "in.npy", "-o", folder / "out.npy"]
    messages = [
        refusal(*command, f"--adapter={name}", status=3, code="no_adapter"),
        refusal(*command, env=environment(WGPRIM_ADAPTER=name), status=3, code="no_adapter"),
        refusal("info", f"--adapter={name}", status=3, code="no_adapter"),
    ]
    for message in messages:
        assert f"'{name}'" in message
        assert adapter_info()["adapter"] in message
    assert "WGPRIM_ADAPTER" in messages[1]
    assert os.listdir(folder) == ["in.npy"]


@pytest.mark.parametrize("verb", ["info", "scan", "check"])
def test_no_adapter_at_all_leaves_with_3(folder: Path, verb: str) -> None:
    np.save(folder / "in.npy", random_words(10))
    arguments = {"scan": [folder / "in.npy", "-o", folder / "out.npy"], "check": ["scan"]}
    command = [verb, *arguments.get(verb, [])]
    message = refusal(*command, env=NO_ADAPTER, status=3, code="no_adapter")
    assert "Install a Vulkan driver" in message
    assert os.listdir(folder) == ["in.npy"]


@pytest.mark.parametrize("command", ["plan scan --n 1000", "shader scan_blocks", "--help"])
def test_what_needs_no_device_asks_for_none(command: str) -> None:
    assert run(*command.split(), env=NO_ADAPTER).stdout == run(*command.split()).stdout
