// The planner as WebAssembly gives the same bytes as the native one, and imports nothing that a
// browser would have to provide for real.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';

const buildFolder = process.env.WGPRIM_BUILD_DIR;
const cli = process.env.WGPRIM_CLI;

const kWasiBadDescriptor = 52; // what a host without files answers
const kRefuse = () => kWasiBadDescriptor;
const kStubs = { fd_close: kRefuse, fd_seek: kRefuse, fd_write: kRefuse };

async function loadPlanner() {
  const bytes = readFileSync(join(buildFolder, 'wasm', 'planner.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { wasi_snapshot_preview1: kStubs });
  instance.exports._initialize();
  return instance.exports;
}

function planScan(exports, rows, { inclusive = false, inPlace = false, settings = [] } = {}) {
  const text = new TextEncoder().encode(settings.join('\n'));
  const address = exports.malloc(Math.max(text.length, 1));
  new Uint8Array(exports.memory.buffer, address, text.length).set(text);
  const bytes = exports.plan_scan(BigInt(rows), inclusive, inPlace, address, text.length);
  exports.free(address);
  const answer = new Uint8Array(exports.memory.buffer, exports.text_address(), bytes);
  return new TextDecoder().decode(answer);
}

function nativePlanScan(rows, { inclusive = false, inPlace = false, settings = [] } = {}) {
  const optionOf = (line) => (line.startsWith('max') ? '--limit' : '--capability');
  const flags = settings.flatMap((line) => [optionOf(line), line]);
  if (inclusive) flags.push('--inclusive');
  if (inPlace) flags.push('--in-place');
  const command = ['plan', 'scan', '--n', `${rows}`, '--format', 'json', ...flags];
  return execFileSync(cli, command, { encoding: 'utf8' });
}

const planner = await loadPlanner();

for (const rows of [0, 1, 256, 257, 65536, 65537, 16776961, 4294967295]) {
  test(`a plan of ${rows} rows has the native bytes`, () => {
    assert.equal(planScan(planner, rows).trimEnd(), nativePlanScan(rows).trimEnd());
  });
}

test('capabilities reach the planner', () => {
  const options = { settings: ['subgroups=on', 'subgroup_size=8'] };
  const plan = planScan(planner, 65537, options);
  assert.equal(plan.trimEnd(), nativePlanScan(65537, options).trimEnd());
  assert.notEqual(plan, planScan(planner, 65537));
});

test('mode, in-place and limits reach the planner', () => {
  const options = {
    inclusive: true,
    inPlace: true,
    settings: ['maxComputeWorkgroupsPerDimension=2', 'maxStorageBufferBindingSize=65536'],
  };
  assert.equal(planScan(planner, 1025, options).trimEnd(), nativePlanScan(1025, options).trimEnd());
});

test('an error is an object with code and message', () => {
  const { error } = JSON.parse(planScan(planner, 8, { settings: ['maxBufferSize=nonsense'] }));
  assert.equal(error.code, 'invalid_argument');
  assert.match(error.message, /maxBufferSize/);
});

test('the module imports three file functions that stubs satisfy, and nothing else', async () => {
  const module = await WebAssembly.compile(readFileSync(join(buildFolder, 'wasm', 'planner.wasm')));
  const names = WebAssembly.Module.imports(module).map((entry) => entry.name);
  assert.ok(names.every((name) => name in kStubs), `imports: ${names}`);
});
