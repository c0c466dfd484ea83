import { readFile } from 'node:fs/promises';

/** Files that are scripts by their names; Metro's end with the last two. */
export const isScriptName = (path: string): boolean => /\.(?:[cm]?js|bundle|jsbundle)$/i.test(path);

const HERMES = Buffer.from('c61fbc03c103191f', 'hex');

/** What Hermes makes of a script: it has no text. */
export class HermesBytecode extends Error {
  constructor() {
    super(
      'Hermes bytecode has no place for a debug id; put it into the bundle that Hermes compiles, or name its release',
    );
  }
}

/** The text of a script as it is, a byte order mark included. Throws HermesBytecode, TypeError when it is not text, what reading throws. */
export async function scriptText(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.subarray(0, HERMES.length).equals(HERMES)) throw new HermesBytecode();
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new TypeError('it is no text in UTF-8, so nothing can be written into it');
  }
}
