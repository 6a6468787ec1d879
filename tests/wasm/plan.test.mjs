// The planner as WebAssembly gives the same bytes as the native one, and imports nothing that a
// browser would have to provide for real.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

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

/** The answer of an exported function that takes these arguments, a text as address and bytes. */
function ask(exports, name, ...args) {
  const addresses = [];
  const words = args.flatMap((argument) => {
    if (typeof argument !== 'string') return [argument];
    const text = new TextEncoder().encode(argument);
    const address = exports.malloc(Math.max(text.length, 1));
    new Uint8Array(exports.memory.buffer, address, text.length).set(text);
    addresses.push(address);
    return [address, text.length];
  });
  const bytes = exports[name](...words);
  addresses.forEach((address) => exports.free(address));
  const answer = new Uint8Array(exports.memory.buffer, exports.text_address(), bytes);
  return new TextDecoder().decode(answer);
}

function planScan(exports, rows, { inclusive = false, inPlace = false, settings = [] } = {}) {
  return ask(exports, 'plan_scan', BigInt(rows), inclusive, inPlace, settings.join('\n'));
}

function planGraph(exports, graph, settings = []) {
  return ask(exports, 'plan_graph', graph, settings.join('\n'));
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

const examples = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'examples', 'graphs');

/** The graph with its kernels' texts inside, since the module reads no files. */
function wholeGraph(name) {
  const graph = JSON.parse(readFileSync(join(examples, name), 'utf8'));
  for (const node of graph.nodes) {
    if (!node.wgsl_file) continue;
    node.wgsl = readFileSync(join(examples, node.wgsl_file), 'utf8');
    delete node.wgsl_file;
  }
  return JSON.stringify(graph);
}

const graphs = readdirSync(examples).filter((name) => /\.json$/.test(name) && name !== 'cases.json');

test('there are example graphs', () => assert.ok(graphs.length > 0));

function nativePlanGraph(name, options = []) {
  const command = ['plan', join(examples, name), '--format', 'json', ...options];
  return execFileSync(cli, command, { encoding: 'utf8' });
}

for (const name of graphs) {
  test(`the plan of ${name} has the native bytes`, () => {
    const plan = planGraph(planner, wholeGraph(name));
    assert.equal(JSON.parse(plan).wgprim_plan, 1);
    assert.equal(plan.trimEnd(), nativePlanGraph(name).trimEnd());
  });
}

test('a budget cuts the plan into the native steps', () => {
  const plan = planGraph(planner, wholeGraph('select_rows.json'), ['budget.invocations=64', 'budget.nodes=2']);
  assert.equal(JSON.parse(plan).steps.length, 3);
  const native = nativePlanGraph('select_rows.json', ['--budget', 'invocations=64,nodes=2']);
  assert.equal(plan.trimEnd(), native.trimEnd());
});

test('a bound that is none is refused', () => {
  const { error } = JSON.parse(planGraph(planner, '{"wgprim_graph": 1}', ['budget.time=1']));
  assert.equal(error.code, 'invalid_argument');
  assert.match(error.message, /'time'/);
});

test('a graph that is refused says why', () => {
  const { error } = JSON.parse(planGraph(planner, '{"wgprim_graph": 1, "nodes": [{"op": "sort"}]}'));
  assert.equal(error.code, 'invalid_file');
  assert.equal(error.message, "'nodes[0].op' is 'sort', which is not known there.");
});

test('random graphs have the native bytes, plans and errors alike', async () => {
  const count = 10000;
  const tool = join(buildFolder, 'release', 'bin', 'wgprim_random_graphs');
  const child = spawn(tool, [`${count}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const found = { plan: 0, error: 0 };
  for await (const line of createInterface({ input: child.stdout })) {
    const { graph, settings, plan, error } = JSON.parse(line);
    const answer = planGraph(planner, graph, settings);
    if (error === undefined) {
      assert.equal(answer, plan, graph);
      found.plan += 1;
    } else {
      assert.equal(JSON.parse(answer).error?.message, error, graph);
      found.error += 1;
    }
  }
  assert.deepEqual(await ended, [0, null]);
  assert.equal(found.plan + found.error, count);
  assert.ok(found.plan > count / 4, `only ${found.plan} of the graphs have a plan`);
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
