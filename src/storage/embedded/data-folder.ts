import { SettingError } from '../../env.js';
import { DiskProbe } from '../objects/disk-probe.js';
import { makeFolder } from '../objects/durable-files.js';

const NOT_ALLOWED = 'which this user cannot write to; grant write access or choose another folder.';
const NO_FOLDER = 'which is not a folder; choose a folder.';
const FULL = 'whose disk is full; free some space and start again.';

const TROUBLES: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: 'which is read-only; choose a writable folder.',
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** Creates an installation's data folder. Throws {@link SettingError} when it cannot be created or written to. */
export async function openDataFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
    await new DiskProbe(folder).check();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const trouble = TROUBLES[code] ?? `which cannot be used (${message}); choose another folder.`;
    throw new SettingError(`DATA_DIR is ${folder}, ${trouble}`);
  }
}
