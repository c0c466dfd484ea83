import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Runs work with a temporary folder that is removed afterwards, also when the command is interrupted. */
export async function withScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-upload-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const endings = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = () => {
      remove();
      process.exit(code);
    };
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  try {
    return await work(folder);
  } finally {
    for (const forget of endings) forget();
    remove();
  }
}
