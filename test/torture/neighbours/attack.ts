import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMicrosOfTree } from '../../harness/cpu.js';

/** One request in an attack. `{{n}}` in a text body is replaced by a value unique within the attack. */
export interface AttackRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Index into the order's `blobs`, sent instead of a text. */
  blob?: number;
  /** Announces a mebibyte more than its body and sends only the body. */
  stalls?: boolean;
}

/** What an attacker sends, in turn, until told to stop. */
export interface AttackOrder {
  requests: AttackRequest[];
  /** Base64 bodies shared by several requests. */
  blobs?: string[];
  perSecond: number;
  /** Requests are skipped while this many wait for their answers. */
  mostUnderWay: number;
}

/** What became of an attack. */
export interface AttackCount {
  sent: number;
  /** Answers by status, or by the code of a GraphQL error; `none` without an answer. */
  statuses: Record<string, number>;
  /** Share of one core that the attacker used. */
  cores: number;
}

const attackerProcess = fileURLToPath(new URL('./attacker-process.js', import.meta.url));

/** Starts an attack from a separate process. The returned function ends it. */
export function startAttack(url: string, order: AttackOrder): () => Promise<AttackCount> {
  const attacker = fork(attackerProcess, { execPath: process.execPath });
  const begun = performance.now();
  attacker.send({ url, ...order });
  return async () => {
    const seconds = (performance.now() - begun) / 1_000;
    const cores = cpuMicrosOfTree(attacker.pid ?? 0) / 1e6 / seconds;
    const counted = new Promise<Omit<AttackCount, 'cores'>>((resolve, reject) => {
      attacker.once('message', (count) => resolve(count as Omit<AttackCount, 'cores'>));
      attacker.once('exit', (code) => reject(new Error(`the attacker ended with ${code} before its count`)));
    });
    attacker.send('stop');
    try {
      return { ...(await counted), cores };
    } finally {
      attacker.kill('SIGKILL');
    }
  };
}
