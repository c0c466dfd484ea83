import { parseLenientJson } from './lenient-json.js';

/**
 * Version of the mapping format as major × 256 + minor; 0 when the file states none (then only `sourceFile` applies).
 */
export type MappingVersion = number;

/** A mapping file comment that affects retracing (R8's retrace.md). */
export type MappingComment =
  | { kind: 'sourceFile'; fileName: string }
  | { kind: 'synthesized' }
  | { kind: 'outline' }
  | { kind: 'outlineCallsite'; positions: Map<number, number> }
  | { kind: 'rewriteFrame'; throws: string[]; removeInnerFrames: number }
  | { kind: 'residualSignature'; signature: string };

/** One row per comment id: the version it applies from, and how it is read. */
const READERS: Record<string, { since: MappingVersion; read(fields: Map<string, unknown>): MappingComment | null }> = {
  sourceFile: {
    since: 0,
    read: (fields) => {
      const fileName = fields.get('fileName');
      return typeof fileName === 'string' ? { kind: 'sourceFile', fileName } : null;
    },
  },
  'com.android.tools.r8.synthesized': { since: 0x100, read: () => ({ kind: 'synthesized' }) },
  'com.android.tools.r8.outline': { since: 0x200, read: () => ({ kind: 'outline' }) },
  'com.android.tools.r8.outlineCallsite': { since: 0x200, read: readCallsite },
  'com.android.tools.r8.rewriteFrame': { since: 0x200, read: readRewriteFrame },
  'com.android.tools.r8.residualsignature': {
    since: 0x202,
    read: (fields) => {
      const signature = fields.get('signature');
      return typeof signature === 'string' ? { kind: 'residualSignature', signature } : null;
    },
  },
};

/** Reads one comment line, including `#`; null when it is prose, unknown, or newer than the file's stated version. */
export function readMappingComment(line: string, version: MappingVersion): MappingComment | null {
  const fields = commentFields(line);
  const id = fields?.get('id');
  if (fields === null || typeof id !== 'string' || !Object.hasOwn(READERS, id)) return null;
  const reader = READERS[id];
  return reader !== undefined && version >= reader.since ? reader.read(fields) : null;
}

/** The format version stated in a comment line, or null. */
export function readMappingVersion(line: string): MappingVersion | null {
  if (!line.includes('com.android.tools.r8.mapping')) return null;
  const fields = commentFields(line);
  if (fields?.get('id') !== 'com.android.tools.r8.mapping') return null;
  const match = /^(\d+)(?:\.(\d+))?/.exec(String(fields.get('version')));
  return match === null ? 0 : Math.min(Number(match[1]), 255) * 256 + Math.min(Number(match[2] ?? 0), 255);
}

function commentFields(line: string): Map<string, unknown> | null {
  const start = line.indexOf('{');
  return start < 0 ? null : (parseLenientJson(line.slice(start)) ?? null);
}

function readCallsite(fields: Map<string, unknown>): MappingComment | null {
  const positions = fields.get('positions');
  if (!(positions instanceof Map)) return null;
  const numbers = new Map<number, number>();
  for (const [from, to] of positions) {
    if (/^\d+$/.test(String(from)) && Number.isInteger(to)) numbers.set(Number(from), Number(to));
  }
  return { kind: 'outlineCallsite', positions: numbers };
}

function readRewriteFrame(fields: Map<string, unknown>): MappingComment | null {
  const conditions = fields.get('conditions');
  const actions = fields.get('actions');
  if (!Array.isArray(conditions) || !Array.isArray(actions)) return null;
  const thrown: string[] = [];
  for (const condition of conditions) {
    const match = /^throws\(L(.+);\)$/.exec(String(condition));
    if (match?.[1] === undefined) return null;
    thrown.push(match[1].replaceAll('/', '.'));
  }
  let removeInnerFrames = 0;
  for (const action of actions) {
    const match = /^removeInnerFrames\((\d+)\)$/.exec(String(action));
    if (match?.[1] === undefined) return null;
    removeInnerFrames += Number(match[1]);
  }
  return { kind: 'rewriteFrame', throws: thrown, removeInnerFrames };
}
