import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { compileSnapshot } from '../../../src/modules/handshake/snapshot.js';
import type { SnapshotSource } from '../../../src/modules/handshake/snapshot-source.js';
import { startBareKoa } from '../../harness/bare-koa.js';
import { cpuMicrosOfTree, memoryMib } from '../../harness/cpu.js';
import { FLAG_RULES, fillProject, makeKeys } from '../../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../../harness/load.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';

export const name = 'handshake';

/**
 * A key is limited to 500 requests a minute, so each measurement uses this many keys and reuses them only after a
 * minute.
 */
const KEYS = 250;
const KEY_POOLS = 20;
const CONNECTIONS = 32;
const PERSONS = 100;

/**
 * 304s and 200s for a project with 50 flags, 50 config items and 5 cohorts, compared with bare Koa answering the same
 * bytes.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const server = await bench.startServer();
  const { project_id: projectId, tokens } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  await fillProject(owner, projectId, 5);
  bench.log(`making ${KEYS * KEY_POOLS} keys`);
  const keys = await makeKeys(owner, projectId, KEYS * KEY_POOLS);
  let pool = 0;
  const nextKeys = () => {
    pool = (pool + 1) % KEY_POOLS;
    return keys.slice(pool * KEYS, (pool + 1) * KEYS);
  };
  const path = '/api/v1/handshake?distinct_id=user-7&app_version=2.4.0&platform=ios&os_version=17.1&locale=de-DE';
  const sample = await new Client(server.url).withKey(keys[0] as string).get(path);
  const etag = sample.headers.get('etag') ?? '';
  bench.log(`the answer has ${Buffer.byteLength(sample.text)} bytes`);
  const headers = { etag, 'cache-control': 'private, no-cache' };
  const bareEmpty = await startBareKoa({ status: 304, headers });
  const bareFull = await startBareKoa({
    status: 200,
    headers: { ...headers, 'content-type': 'application/json; charset=utf-8' },
    body: sample.text,
  });
  const personPath = (index: number) => `${path.replace('user-7', `user-${index % PERSONS}`)}`;
  const measure = async (url: string, pid: number, requests: LoadRequest[], expected: number) => {
    const before = cpuMicrosOfTree(pid);
    const count = await sendLoad({
      url,
      requests,
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [expected],
    });
    return { ...count, serverMicros: (cpuMicrosOfTree(pid) - before) / count.requests };
  };
  type Asked = (key: string, index: number) => LoadRequest;
  const product = (ask: Asked, expected: number) => () =>
    measure(server.url, server.pid, nextKeys().map(ask), expected);
  const peer = (koa: { url: string; pid: number }, ask: Asked, expected: number) => () =>
    measure(koa.url, koa.pid, keys.slice(0, KEYS).map(ask), expected);
  const conditional: Asked = (key) => ({ path, headers: { 'x-api-key': key, 'if-none-match': etag } });
  const known: Asked = (key, index) => ({ path: personPath(index), headers: { 'x-api-key': key } });
  const fresh: Asked = (key) => ({ path: path.replace('user-7', 'fresh-{{n}}'), headers: { 'x-api-key': key } });
  const single: Asked = (key) => ({
    path: '/ofrep/v1/evaluate/flags/flag-7',
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: '{"context":{"targetingKey":"user-7","plan":"pro"}}',
  });
  try {
    const results = await alternate(bench.rounds, {
      notModified: product(conditional, 304),
      bareEmpty: peer(bareEmpty, conditional, 304),
      known: product(known, 200),
      fresh: product(fresh, 200),
      bareFull: peer(bareFull, known, 200),
      single: product(single, 200),
    });
    const made = (
      label: string,
      side: keyof typeof results,
      against: 'bareEmpty' | 'bareFull',
      what: string,
      goal?: number,
    ) =>
      row({
        path: label,
        unit: 'requests/s',
        values: results[side].map(({ perSecond }) => perSecond),
        peer: { what, values: results[against].map(({ perSecond }) => perSecond) },
        ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
        more: {
          'p99 ms': median(results[side].map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(results[side].map(({ serverMicros }) => serverMicros)),
          'bare Koa µs/op': median(results[against].map(({ serverMicros }) => serverMicros)),
          'server RSS MiB': memoryMib(server.pid).now,
        },
      });
    return [
      made('handshake 304', 'notModified', 'bareEmpty', 'bare Koa, 304', 0.8),
      made(`handshake 200, ${PERSONS} persons`, 'known', 'bareFull', 'bare Koa, same bytes', 0.5),
      made('handshake 200, every request another person', 'fresh', 'bareFull', 'bare Koa, same bytes'),
      made('OFREP, one flag', 'single', 'bareFull', 'bare Koa, handshake bytes'),
      row({
        path: 'memory of 1,000 projects, 50 flags and 50 items each',
        unit: 'MiB',
        values: [snapshotMemory(1_000)],
      }),
    ];
  } finally {
    bareEmpty.stop();
    bareFull.stop();
  }
}

/** Heap used by this many compiled snapshots, in MiB. */
function snapshotMemory(projects: number): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const before = process.memoryUsage().heapUsed;
  const kept = Array.from({ length: projects }, (_, project) => compileSnapshot(snapshotSource(`project-${project}`)));
  collect();
  const taken = process.memoryUsage().heapUsed - before;
  return kept.length === projects ? taken / 1024 / 1024 : Number.NaN;
}

function snapshotSource(projectId: string): SnapshotSource {
  const variants = () => [
    { key: 'on', value: true },
    { key: 'off', value: false },
  ];
  const keys = Array.from({ length: 50 }, (_, index) => index);
  return {
    projectId,
    environment: 'live',
    disabled: [],
    flags: keys.map((index) => ({
      id: `flg_${index}`,
      key: `flag-${index}`,
      version: index,
      variants: variants(),
      defaultVariant: 'off',
      rules: FLAG_RULES[index % FLAG_RULES.length]?.map((rule) => ({ conditions: [], percentage: 100, ...rule })) ?? [],
      halted: false,
      archived: false,
    })),
    items: keys.map((index) => ({
      id: `id-${index}`,
      key: `item-${index}`,
      type: 'string',
      version: 1,
      value: `the value of item ${index}`,
      rule: index % 5 === 0 ? { cohort: 'beta', value: 'another value' } : null,
    })),
    cohorts: [{ id: 'coh_beta', name: 'beta', predicate: 'props.group = "beta"', ids: null, rules: null }],
    release: null,
    sampleRate: 1,
  };
}
