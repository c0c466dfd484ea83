import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuMicrosOfTree } from '../../harness/cpu.js';

/** One request of an attack. `{{n}}` in a text body becomes a value that no other request of the attack has. */
export interface AttackRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Bytes of the order's `blobs` in place of a text. */
  blob?: number;
  /** Announces a body of a mebibyte more and sends no more than the one it has. */
  stalls?: boolean;
}

/** What an attacker sends, in turn, until told to stop. */
export interface AttackOrder {
  requests: AttackRequest[];
  /** Bodies in base64 that several requests share. */
  blobs?: string[];
  perSecond: number;
  /** Further requests are left out while so many wait for their answers. */
  mostUnderWay: number;
}

/** What became of an attack. */
export interface AttackCount {
  sent: number;
  /** Answers by status, or by the code of a GraphQL refusal; `none` where there was none. */
  statuses: Record<string, number>;
  /** Share of one core that the attacker took. */
  cores: number;
}

const attackerProcess = fileURLToPath(new URL('./attacker-process.js', import.meta.url));

/** Attacks from a process of its own; the answer ends it. */
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
