import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LONGEST_MS = 120_000;

/** How a command ended: `null` if it did not and had to be killed. */
export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CommandOptions {
  name: 'backup' | 'restore' | 'reset-password';
  words: string[];
  databaseUrl: string;
  dataDir: string;
  /** Additional settings, as environment variables. */
  settings?: Record<string, string>;
  /** Words in front of the program, such as `setpriv` and its options. */
  before?: readonly string[];
  /** Every write to a file takes up to this many milliseconds longer. */
  diskDelayMs?: number;
  /** Kills the process when it aborts. */
  signal?: AbortSignal;
}

/** Runs `npm run backup`, `restore` or `reset-password` in a separate process. */
export function runInstallationCommand(options: CommandOptions): Promise<Ended> {
  const { name, words, databaseUrl, dataDir, settings = {}, diskDelayMs = 0, signal, before = [] } = options;
  const program = fileURLToPath(new URL(`../../src/installation/${name}.js`, import.meta.url));
  const slowDisk = diskDelayMs > 0 ? [`--import=${new URL('./slow-disk-process.js', import.meta.url).href}`] : [];
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = {
    PATH,
    ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}),
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    DISK_DELAY_MS: String(diskDelayMs),
    ...settings,
  };
  const limits = { env, timeout: LONGEST_MS, killSignal: 'SIGKILL', ...(signal ? { signal } : {}) } as const;
  return new Promise((resolve) => {
    const [first, ...others] = [...before, process.execPath, ...slowDisk, program, ...words];
    execFile(first as string, others, limits, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : null) : 0;
      resolve({ code, stdout, stderr });
    });
  });
}
