import { SettingError } from '../../env.js';
import { DiskProbe } from '../objects/disk-probe.js';
import { makeFolder } from '../objects/durable-files.js';

const NOT_ALLOWED = 'where this user may not write; give it the right to, or name another folder.';
const NO_FOLDER = 'which is no folder; name one.';
const FULL = 'whose disk is full; free some space, and start again.';

const TROUBLES: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EPERM: NOT_ALLOWED,
  EROFS: 'which cannot be written; name a folder that can.',
  ENOTDIR: NO_FOLDER,
  EEXIST: NO_FOLDER,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** Makes the data folder of an installation. Throws {@link SettingError} when it cannot be made or written. */
export async function openDataFolder(folder: string, mode: number): Promise<void> {
  try {
    await makeFolder(folder, mode);
    await new DiskProbe(folder).check();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const trouble = TROUBLES[code] ?? `which cannot be used (${message}); name another folder.`;
    throw new SettingError(`DATA_DIR is ${folder}, ${trouble}`);
  }
}
