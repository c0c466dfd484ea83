import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import pg from 'pg';

const microsPerTick = 10_000;

interface ProcessStat {
  parent: number;
  ticks: number;
  childTicks: number;
}

/** Fields of /proc/<pid>/stat after the command, which may itself contain spaces and parentheses. */
function statOf(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const field = (number: number) => fields[number - 3] ?? 0;
    return { parent: field(4), ticks: field(14) + field(15), childTicks: field(16) + field(17) };
  } catch {
    return undefined;
  }
}

/**
 * CPU microseconds used so far by a process and all its descendants, including terminated children that were waited
 * for. Resolution is 10 ms, as the kernel counts.
 */
export function cpuMicrosOfTree(rootPid: number): number {
  const stats = new Map<number, ProcessStat>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    const stat = Number.isInteger(pid) ? statOf(pid) : undefined;
    if (stat) stats.set(pid, stat);
  }
  const belongs = (pid: number): boolean => {
    for (let at = pid; at > 1; at = stats.get(at)?.parent ?? 0) if (at === rootPid) return true;
    return false;
  };
  let ticks = 0;
  for (const [pid, stat] of stats) if (belongs(pid)) ticks += stat.ticks + stat.childTicks;
  return ticks * microsPerTick;
}

/** As {@link cpuMicrosOfTree}, in milliseconds; zero if the system does not provide it. */
export const cpuMsOfTree = (rootPid: number): number =>
  process.platform === 'linux' ? cpuMicrosOfTree(rootPid) / 1000 : 0;

/** Resident memory of one process in MiB, now and at its peak. */
export function memoryMib(pid: number): { now: number; peak: number } {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}

/**
 * Resets the peak, so that the next reading of {@link memoryMib} covers only what follows. Requires ownership of the
 * process.
 */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Process id of the PostgreSQL server behind a URL on this machine: the parent of the backend that answers. */
export async function postmasterPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const parent = statOf(rows[0]?.pid ?? 0)?.parent;
    if (!parent) throw new Error('the database does not run on this machine');
    return parent;
  } finally {
    await client.end();
  }
}
