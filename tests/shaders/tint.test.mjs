// Compiles WGSL with Tint (Dawn for Node), as Chromium does: every kernel variant of
// tests/golden/shaders, which the golden ring keeps equal to what the library assembles, and every
// WGSL text in the repository that a reader might copy. naga accepts barriers in divergent control
// flow; Tint does not. No error, no warning, and a pipeline of each.
// VK_DRIVER_FILES chooses the Vulkan driver; without an adapter everything here fails.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const golden = join(root, 'tests', 'golden', 'shaders');
const packages = createRequire(join(root, 'web', 'package.json'));
const { create } = await import(pathToFileURL(packages.resolve('webgpu')));

// A text that shows what does not work says so in its first line, and is held to it.
const REFUSED = '// Refused by Tint';
const SUBGROUP_USE = /\bsubgroup[A-Z]\w*\s*\(|@builtin\((?:subgroup_\w+|num_subgroups)\)/;

let device;
let gpu; // Dawn ends with the object that made it.

before(async () => {
  gpu = create([]);
  const adapter = await gpu.requestAdapter();
  assert.ok(adapter, 'no adapter: VK_DRIVER_FILES names no Vulkan driver that Dawn takes');
  device = await adapter.requestDevice({ requiredFeatures: ['subgroups'] });
});

after(() => {
  // Dawn keeps threads that hold the process; the runner has its results by now.
  setTimeout(() => process.exit(), 200);
});

/** Everything Tint says about the text. */
async function compile(code) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  await device.popErrorScope();
  return {
    module,
    complaints: messages.map((m) => `${m.lineNum}:${m.linePos} ${m.type}: ${m.message}`),
  };
}

async function makePipeline(module, entryPoint, constants = {}) {
  return device.createComputePipelineAsync({
    layout: 'auto',
    compute: { module, entryPoint, constants },
  });
}

/** Chromium needs the feature enabled in the text; naga refuses that line, so it is put before. */
function tintText(code) {
  return SUBGROUP_USE.test(code) && !/^\s*enable\s+subgroups/m.test(code)
    ? `enable subgroups; ${code}`
    : code;
}

const variants = JSON.parse(readFileSync(join(golden, 'variants.json'), 'utf8'));

test('there are variants to compile', () => assert.ok(variants.length > 0));

for (const variant of variants) {
  test(`kernel ${variant.name}`, async () => {
    const text = readFileSync(join(golden, `${variant.name}.wgsl`), 'utf8');
    const prelude = variant.uses_subgroups ? 'enable subgroups; ' : '';
    const { module, complaints } = await compile(prelude + text);
    assert.deepEqual(complaints, []);
    await makePipeline(module, variant.entry_point, variant.constants);
    if (/override IS_INCLUSIVE\b/.test(text)) {
      await makePipeline(module, variant.entry_point, { ...variant.constants, IS_INCLUSIVE: 1 });
    }
  });
}

function* filesBelow(folder, extensions) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'golden') yield* filesBelow(path, extensions);
    } else if (extensions.includes(extname(entry.name))) {
      yield path;
    }
  }
}

/** The kernels that stand within a graph file. */
function programsOfGraph(text) {
  return (JSON.parse(text).nodes ?? []).flatMap((node) => node.wgsl ?? []);
}

/** Whole programs in raw strings, template literals, fenced blocks, graph files and .wgsl files. */
function programsOf(path) {
  const text = readFileSync(path, 'utf8');
  if (extname(path) === '.json') return programsOfGraph(text);
  const quotes = {
    '.cpp': /R"(\w*)\(([\s\S]*?)\)\1"/g,
    '.hpp': /R"(\w*)\(([\s\S]*?)\)\1"/g,
    '.md': /(```)wgsl\n([\s\S]*?)```/g,
    '.ts': /(`)((?:[^`\\]|\\.)*)`/g,
    '.mjs': /(\/\* wgsl \*\/ `)([^`]*)`/g,
    '.py': /(""")([\s\S]*?)"""/g,
  }[extname(path)];
  const programs = quotes ? [...text.matchAll(quotes)].map((match) => match[2]) : [text];
  return programs
    .filter((program) => /@compute\b[\s\S]*\bfn\s+\w+/.test(program))
    .flatMap((program) => (program.trimStart().startsWith('{') ? programsOfGraph(program) : program));
}

const extensions = ['.cpp', '.hpp', '.json', '.md', '.ts', '.mjs', '.py', '.wgsl'];
const self = fileURLToPath(import.meta.url);

for (const folder of ['README.md', 'docs', 'examples', 'tests', 'cli', 'bench', 'web', 'src']) {
  let files;
  try {
    files = folder.endsWith('.md') ? [join(root, folder)] : [...filesBelow(join(root, folder), extensions)];
    files.forEach((file) => readFileSync(file));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    continue; // The folder does not exist yet.
  }
  for (const file of files) {
    if (file === self) continue;
    programsOf(file).forEach((program, i) => {
      test(`text ${i} of ${relative(root, file)}`, async () => {
        const { module, complaints } = await compile(tintText(program));
        if (program.trimStart().startsWith(REFUSED)) {
          assert.notDeepEqual(complaints, [], 'is said to be refused, but Tint takes it');
          return;
        }
        assert.deepEqual(complaints, []);
        for (const [, entryPoint] of program.matchAll(/@compute\b[^{]*?\bfn\s+(\w+)/g)) {
          await makePipeline(module, entryPoint);
        }
      });
    });
  }
}

test('Tint refuses a barrier in divergent control flow, so the tests above mean something', async () => {
  const { complaints } = await compile(`
    @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
      if (lane < 32u) { workgroupBarrier(); }
    }`);
  assert.match(complaints.join('\n'), /error: .*workgroupBarrier/);
});
