#!/usr/bin/env python3
"""Reads shaders/**/*.wgsl and writes the kernel table as C++: text, bindings, overrides, slots, imports.

    pack_shaders.py --out kernel_table.cpp SHADER_FOLDER

Directives, each a line of its own, resolved by src/kernels/assemble.cpp:
    #import NAME            the text of shared/NAME.wgsl, one level deep
    #slot NAME FRAGMENT     a fragment chosen by the specialisation, FRAGMENT by default
    #repeat VAR OVERRIDE    the lines up to #end once for each value of VAR below the constant
                            OVERRIDE, with ${VAR} replaced by the value

A file that breaks a shader rule stops the build with a sentence naming file and line.
"""

import argparse
import pathlib
import re
import sys

MAX_STORAGE_BUFFERS = 8

BINDING = re.compile(r"@group\((\d+)\)\s*@binding\((\d+)\)\s*var<([^>]*)>\s*(\w+)\s*:")
OVERRIDE = re.compile(r"^override\s+(\w+)\s*:\s*(u32|bool)\s*=\s*(\w+)\s*;", re.MULTILINE)
WORKGROUP = re.compile(r"var<workgroup>\s*\w+\s*:\s*array<\s*(u32|Element|Item)\s*,\s*([A-Z_]+)\s*>")
ENTRY_POINT = re.compile(r"@compute\s*@workgroup_size\(([A-Z_]+)\)\s*fn\s+(\w+)")
SUBGROUP = re.compile(r"\bsubgroup(?:Add|Exclusive|Inclusive|Min|Max|And|Or|Xor|Any|All|Ballot|"
                      r"Broadcast|Shuffle|Mul)\w*\s*\(|@builtin\(subgroup_")
DIRECTIVE = re.compile(r"^\s*#(\w+)((?:\s+\w+)*)\s*$")
ARITY = {"import": 1, "slot": 2, "repeat": 2, "end": 0}
ACCESS = {"storage, read": "storage_read", "storage, read_write": "storage_read_write"}


class ShaderError(Exception):
    pass


class Shader:
    """One .wgsl file, taken apart."""

    def __init__(self, path, is_kernel):
        self.path = path
        self.name = path.stem
        self.is_kernel = is_kernel
        self.text = path.read_text(encoding="ascii")
        self.imports, self.slots = [], []
        self.check_lines()
        code = re.sub(r"//[^\n]*", "", self.text)
        self.bindings = [self.binding(*found) for found in BINDING.findall(code)]
        self.overrides = [(name, {"true": 1, "false": 0}.get(value) if kind == "bool"
                           else int(value.rstrip("u")))
                          for name, kind, value in OVERRIDE.findall(code)]
        self.workgroup_arrays = WORKGROUP.findall(code)
        if len(self.workgroup_arrays) != code.count("var<workgroup>"):
            self.fail(1, "workgroup memory is an array of u32, Element or Item, as long as a constant says: "
                         "the executor adds its size up.")
        self.uses_subgroups = bool(SUBGROUP.search(code))
        self.check_entry_point(code)
        self.workgroup_width = ENTRY_POINT.findall(code)[0][0] if is_kernel else ""

    def fail(self, line, message):
        raise ShaderError(f"{self.path}:{line}: {message}")

    def check_lines(self):
        open_repeat = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            if "workgroupBarrier()" in line and "// Parts " not in line:
                self.fail(number, "a barrier says which accesses it parts: `// Parts ... from ...`.")
            if not line.lstrip().startswith("#"):
                continue
            found = DIRECTIVE.match(line)
            words = found.group(2).split() if found else []
            if not found or ARITY.get(found.group(1)) != len(words):
                self.fail(number, f"`{line.strip()}` is no directive.")
            kind = found.group(1)
            if kind == "import":
                self.imports.append(words[0])
            elif kind == "slot":
                self.slots.append(tuple(words))
            elif kind == "repeat":
                if open_repeat:
                    self.fail(number, "a repeat stands inside another.")
                open_repeat = number
            elif not open_repeat:
                self.fail(number, "an #end stands without its #repeat.")
            else:
                open_repeat = 0
        if open_repeat:
            self.fail(open_repeat, "a #repeat has no #end.")
        if self.imports and not self.is_kernel:
            self.fail(1, "a fragment imports another; imports are one level deep.")

    def binding(self, group, number, space, name):
        if group != "0":
            self.fail(1, f"binding '{name}' is in group {group}; kernels use group 0.")
        space = ", ".join(part.strip() for part in space.split(","))
        if space == "uniform":
            return int(number), name, "parameters" if name == "parameters" else "uniform"
        if space not in ACCESS:
            self.fail(1, f"binding '{name}' is var<{space}>; say read or read_write.")
        return int(number), name, ACCESS[space]

    def check_entry_point(self, code):
        entry_points = [name for _, name in ENTRY_POINT.findall(code)]
        if self.is_kernel and entry_points != [self.name]:
            self.fail(1, "the one entry point is named like the file and as wide as a constant says, "
                         f"not {entry_points}.")
        if not self.is_kernel and entry_points:
            self.fail(1, "a fragment has no entry point.")


def check_kernel(kernel, fragments):
    """What only shows once imports and default slots are in: bindings of the whole kernel."""
    parts = [kernel]
    for name in kernel.imports:
        if name not in fragments:
            kernel.fail(1, f"there is no fragment '{name}' to import.")
        parts.append(fragments[name])
    for part in list(parts):
        for _, default in part.slots:
            if default not in fragments:
                part.fail(1, f"there is no fragment '{default}' for a slot.")
            parts.append(fragments[default])
    bindings = [binding for part in parts for binding in part.bindings]
    numbers = [number for number, _, _ in bindings]
    if len(set(numbers)) != len(numbers):
        kernel.fail(1, f"two bindings share a number: {sorted(numbers)}.")
    if sum(access.startswith("storage") for _, _, access in bindings) > MAX_STORAGE_BUFFERS:
        kernel.fail(1, f"a kernel binds at most {MAX_STORAGE_BUFFERS} storage buffers.")


def cpp_array(kind, name, rows):
    if not rows:
        return f"constexpr std::span<const {kind}> {name} = {{}};\n"
    return f"constexpr {kind} {name}[] = {{{', '.join(rows)}}};\n"


def cpp_file(shader, index):
    """The C++ declarations of one file's lists, and its row in the table."""
    prefix = f"k{index}"
    lists = [
        cpp_array("BindingDeclaration", prefix + "Bindings",
                  [f'{{{n}, "{name}", Access::{access}}}' for n, name, access in
                   sorted(shader.bindings)]),
        cpp_array("OverrideDeclaration", prefix + "Overrides",
                  [f'{{"{name}", {value}u}}' for name, value in shader.overrides]),
        cpp_array("SlotDeclaration", prefix + "Slots",
                  [f'{{"{name}", "{default}"}}' for name, default in shader.slots]),
        cpp_array("std::string_view", prefix + "Imports", [f'"{name}"' for name in shader.imports]),
    ]
    lists.append(cpp_array("WorkgroupArray", prefix + "Workgroup",
                           [f'{{"{element}", "{length}"}}'
                            for element, length in shader.workgroup_arrays]))
    flags = f"{str(shader.is_kernel).lower()}, {str(shader.uses_subgroups).lower()}"
    row = (f'    {{"{shader.name}", R"wgsl({shader.text})wgsl", {flags}, '
           f'"{shader.workgroup_width}", {prefix}Workgroup, {prefix}Bindings, {prefix}Overrides, '
           f"{prefix}Slots, {prefix}Imports}},\n")
    return "".join(lists), row


def cpp_table(shaders):
    lists, rows = zip(*(cpp_file(shader, index) for index, shader in enumerate(shaders)))
    return ("// Generated by tools/pack_shaders.py from shaders/. Do not edit.\n"
            '#include "kernels/kernel_table.hpp"\n\n'
            "namespace wgprim::kernels {\nnamespace {\n\n" + "\n".join(lists) +
            "\nconstexpr ShaderFile kFiles[] = {\n" + "".join(rows) +
            "};\n\n}  // namespace\n\n"
            "std::span<const ShaderFile> shader_files() { return kFiles; }\n\n"
            "}  // namespace wgprim::kernels\n")


def load(folder):
    kernels = [Shader(path, True) for path in sorted(folder.glob("*.wgsl"))]
    fragments = {path.stem: Shader(path, False) for path in sorted(folder.glob("shared/*.wgsl"))}
    for kernel in kernels:
        if kernel.name in fragments:
            kernel.fail(1, "a fragment has the same name.")
        check_kernel(kernel, fragments)
    return sorted(kernels + list(fragments.values()), key=lambda shader: shader.name)


def main():
    parser = argparse.ArgumentParser(description="Writes the kernel table as C++.")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("shaders", type=pathlib.Path)
    arguments = parser.parse_args()
    try:
        table = cpp_table(load(arguments.shaders))
    except ShaderError as error:
        sys.exit(str(error))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(table, encoding="ascii")


if __name__ == "__main__":
    main()
