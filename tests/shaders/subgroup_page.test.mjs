// Runs the function that docs/subgroups.md shows for browsers, on Dawn for Node, which has the
// interface of a browser: a device that is said to have subgroups compiles a kernel with them, one
// without refuses it, and the page's two conditions are both needed.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const packages = createRequire(join(root, 'web', 'package.json'));
const { create } = await import(pathToFileURL(packages.resolve('webgpu')));

const page = readFileSync(join(root, 'docs', 'subgroups.md'), 'utf8');
const [, shown] = page.match(/```js\n([\s\S]*?)```/);
const openDevice = new Function(`${shown}; return openDevice;`)();
const KERNEL = /* wgsl */ `enable subgroups;
@group(0) @binding(0) var<storage, read_write> sizes: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(subgroup_id) id: u32) {
  sizes[id] = subgroupAdd(1u);
}`;

const gpu = create([]);

after(() => {
  // Dawn keeps threads that hold the process; the runner has its results by now.
  setTimeout(() => process.exit(), 200);
});

async function errorsOf(device) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code: KERNEL });
  const { messages } = await module.getCompilationInfo();
  await device.popErrorScope();
  return messages.filter((message) => message.type === 'error');
}

/** The same interface with some of its features hidden. */
function without({ adapterFeatures = [], languageFeatures = [] }) {
  const less = (set, names) => new Set([...set].filter((name) => !names.includes(name)));
  return {
    wgslLanguageFeatures: less(gpu.wgslLanguageFeatures, languageFeatures),
    requestAdapter: async () => {
      const adapter = await gpu.requestAdapter();
      return {
        features: less(adapter.features, adapterFeatures),
        requestDevice: (descriptor) => adapter.requestDevice(descriptor),
      };
    },
  };
}

test('a device with subgroups compiles what needs them', async () => {
  const { device, subgroups } = await openDevice(gpu);
  assert.equal(subgroups, true);
  assert.ok(device.features.has('subgroups'));
  assert.deepEqual(await errorsOf(device), []);
});

for (const hidden of [{ adapterFeatures: ['subgroups'] }, { languageFeatures: ['subgroup_id'] }]) {
  test(`no subgroups without ${Object.values(hidden)}`, async () => {
    const { device, subgroups } = await openDevice(without(hidden));
    assert.equal(subgroups, false);
    assert.ok(!device.features.has('subgroups'));
    assert.notDeepEqual(await errorsOf(device), []);
  });
}

test('the language features that the page names are those of the compiler', () => {
  for (const name of ['subgroup_id', 'subgroup_uniformity']) {
    assert.ok(gpu.wgslLanguageFeatures.has(name), name);
  }
});
