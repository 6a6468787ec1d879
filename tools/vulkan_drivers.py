#!/usr/bin/env python3
"""Finds Vulkan drivers: `vulkan_drivers.py any | lavapipe | swiftshader`.

`any` asks the Vulkan loader for its devices and prints their names; the other two print the path of
the driver's ICD file for VK_DRIVER_FILES. Exit status 1 if there is none that can run the kernels.
Standard library only: the set-up calls it before anything else is installed.
"""

import ctypes
import glob
import os
import struct
import subprocess
import sys
from pathlib import Path

ICD_PATTERNS = {
    "lavapipe": [
        "/usr/share/vulkan/icd.d/lvp_icd*.json",
        "/usr/local/share/vulkan/icd.d/lvp_icd*.json",
        "/etc/vulkan/icd.d/lvp_icd*.json",
    ],
    "swiftshader": [
        "/usr/lib*/chromium*/vk_swiftshader_icd.json",
        "/opt/google/chrome/vk_swiftshader_icd.json",
    ],
}

MESA_VENDOR = 0x10005
# Debian 12's own lavapipe (Mesa 22.3, which offers Vulkan 1.3.230) is too old for the kernels. Its
# driver version reads 0.0.1 in every release, so the Vulkan version has to tell it from Mesa 23 on.
OLDEST_LAVAPIPE = (1, 3, 238)


def usable_device_names() -> list[str]:
    """Names of the devices that the loader offers, without software drivers that are too old."""
    try:
        vulkan = ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return []
    # VkInstanceCreateInfo: sType, pNext, flags, pApplicationInfo, two empty lists; "@" aligns.
    create_info = struct.pack("@IPIPIPIP", 1, 0, 0, 0, 0, 0, 0, 0)
    instance = ctypes.c_void_p()
    if vulkan.vkCreateInstance(create_info, None, ctypes.byref(instance)) != 0:
        return []
    count = ctypes.c_uint32()
    vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), None)
    devices = (ctypes.c_void_p * count.value)()
    vulkan.vkEnumeratePhysicalDevices(instance, ctypes.byref(count), devices)
    names = []
    for device in devices:
        # VkPhysicalDeviceProperties starts with five words and a 256-byte name; 2 KiB hold it all.
        properties = ctypes.create_string_buffer(2048)
        vulkan.vkGetPhysicalDeviceProperties(ctypes.c_void_p(device), properties)
        version, _, vendor, _, _ = struct.unpack_from("=5I", properties)
        vulkan_version = (version >> 22 & 0x7F, version >> 12 & 0x3FF, version & 0xFFF)
        if vendor == MESA_VENDOR and vulkan_version < OLDEST_LAVAPIPE:
            continue
        names.append(properties.raw[20:276].split(b"\0")[0].decode())
    return names


def find_icd(driver: str) -> Path | None:
    """The ICD file of a CPU driver that works, or None."""
    for pattern in ICD_PATTERNS[driver]:
        for path in sorted(glob.glob(pattern)):
            # A process of its own: the loader reads VK_DRIVER_FILES once.
            probe = subprocess.run(
                [sys.executable, __file__, "any"],
                env=os.environ | {"VK_DRIVER_FILES": path},
                stdout=subprocess.DEVNULL,
                check=False,
            )
            if probe.returncode == 0:
                return Path(path)
    return None


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in ("any", *ICD_PATTERNS):
        print(__doc__, file=sys.stderr)
        return 2
    if sys.argv[1] == "any":
        found = usable_device_names()
    else:
        icd = find_icd(sys.argv[1])
        found = [str(icd)] if icd else []
    print("\n".join(found) or f"no usable Vulkan driver found ({sys.argv[1]})")
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())
