import { createWriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/**
 * Replaces the dates and permissions of all files, so equal content gives an equal archive that the server recognizes
 * by its checksum.
 */
const SAME_FOR_ALL = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };

/** Writes a folder as a zip archive under the folder's name, one file at a time. */
export async function zipFolder(folder: string, target: string): Promise<void> {
  const paths = await filesBelow(folder);
  const zip = new ZipFile();
  const bytes = zip.outputStream as Readable;
  zip.on('error', (error) => bytes.destroy(error));
  for (const path of paths) zip.addFile(path, join(basename(folder), relative(folder, path)), SAME_FOR_ALL);
  zip.end();
  await pipeline(bytes, createWriteStream(target, { flags: 'wx', mode: 0o600 }));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
