import { availableParallelism, totalmem } from 'node:os';

const MEBIBYTE = 2 ** 20;

/** The machine, or the container, that PostgreSQL shares with the server. */
export interface Machine {
  memoryBytes: number;
  cores: number;
}

/** The memory this process can use. */
export function thisMachine(): Machine {
  const allowed = process.constrainedMemory();
  const total = totalmem();
  return { memoryBytes: allowed > 0 ? Math.min(allowed, total) : total, cores: availableParallelism() };
}

/**
 * PostgreSQL settings for a machine: a quarter of the memory for its own cache and half assumed for the system's cache,
 * which leaves the rest to Node and uploads; a write-ahead log long enough to avoid constant checkpoints under load;
 * solid-state disk costs; and parallel workers that leave a core to other statements. Based on PostgreSQL's manual,
 * chapters 19.4, 19.5 and 19.7.
 */
export function machineSettings({ memoryBytes, cores }: Machine): Record<string, string> {
  const part = (divisor: number, least: number, most: number) =>
    `${Math.round(Math.min(Math.max(memoryBytes / MEBIBYTE / divisor, least), most))}MB`;
  return {
    shared_buffers: part(4, 128, 2048),
    effective_cache_size: part(2, 256, 65_536),
    work_mem: part(1024, 4, 32),
    maintenance_work_mem: part(32, 64, 512),
    max_wal_size: '2GB',
    min_wal_size: '160MB',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    max_parallel_workers: String(cores),
    max_parallel_workers_per_gather: String(Math.min(Math.floor(cores / 2), 4)),
    max_parallel_maintenance_workers: String(Math.min(Math.ceil(cores / 2), 4)),
    // A statement whose client has disconnected ends within a second.
    client_connection_check_interval: process.platform === 'linux' ? '1s' : '0',
  };
}
