import { startBareKoa } from '../harness/bare-koa.js';
import { cpuMicrosOfTree } from '../harness/cpu.js';
import { sendLoad } from '../harness/load.js';
import { alternate, median } from '../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'floor';

/**
 * What bare Koa achieves on this machine and what the generator itself costs, as a frame of reference for all other
 * rows.
 */
export async function run({ rounds, seconds }: BenchContext): Promise<BenchRow[]> {
  const koa = await startBareKoa({ status: 200, headers: { 'content-type': 'application/json' }, body: '{"ok":true}' });
  const measure = async (connections: number) => {
    const before = cpuMicrosOfTree(koa.pid);
    const requests = [{ path: '/' }];
    const count = await sendLoad({
      url: koa.url,
      requests,
      connections,
      seconds,
      warmUpSeconds: 0,
      expectedStatuses: [200],
    });
    return { ...count, serverMicros: (cpuMicrosOfTree(koa.pid) - before) / count.requests };
  };
  try {
    const { few, many } = await alternate(rounds, { few: () => measure(16), many: () => measure(64) });
    return Object.entries({ 16: few, 64: many }).map(([connections, counts]) =>
      row({
        path: `bare Koa, ${connections} connections`,
        unit: 'requests/s',
        values: counts.map(({ perSecond }) => perSecond),
        more: {
          'p99 ms': median(counts.map(({ p99Ms }) => p99Ms)),
          'server µs/op': median(counts.map(({ serverMicros }) => serverMicros)),
          'generator µs/op': median(counts.map(({ generatorMicros }) => generatorMicros)),
        },
      }),
    );
  } finally {
    koa.stop();
  }
}
