import { readFile } from 'node:fs/promises';

/** File names of scripts; the last two endings are Metro's. */
export const isScriptName = (path: string): boolean => /\.(?:[cm]?js|bundle|jsbundle)$/i.test(path);

const HERMES = Buffer.from('c61fbc03c103191f', 'hex');

/** A script compiled by Hermes: it has no text. */
export class HermesBytecode extends Error {
  constructor() {
    super(
      'Hermes bytecode cannot hold a debug id; inject it into the bundle before Hermes compiles it, or set a release',
    );
  }
}

/**
 * The unchanged text of a script, including a byte order mark. Throws HermesBytecode, TypeError when it is not text,
 * and read errors.
 */
export async function scriptText(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.subarray(0, HERMES.length).equals(HERMES)) throw new HermesBytecode();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TypeError('it is not UTF-8 text, so it cannot be changed');
  }
}
