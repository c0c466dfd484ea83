import { normalizeKey, swappedGuid } from '../../../symbols/match-key.js';

export const USER_AGENT = 'Quarterdeck-Symbols/1';

/** Statuses with which servers say that they don't have a file; object stores forbid access to missing ones. */
export const ABSENT: ReadonlySet<number> = new Set([403, 404, 410]);

export interface WantedImage {
  kind: 'ios_dsym' | 'android_ndk';
  /** The missing key: debug id or build id, in the format of `normalizeKey`. */
  key: string;
  /** Its whole build id, if the event has one. */
  codeId: string | null;
  /** Its path on the device, if the event has one. */
  codeFile: string | null;
}

/** How a kind of symbol server lays out its files. */
interface Layout {
  description: string;
  /** Possible paths of a file, relative to the source's URL; the first existing one is used. */
  paths(image: WantedImage): string[];
}

export const SOURCE_LAYOUTS = {
  debuginfod: {
    description: 'debuginfod of elfutils: /buildid/<id>/debuginfo.',
    paths: (image) => buildIds(image).map((id) => `buildid/${id}/debuginfo`),
  },
  microsoft: {
    description:
      "Microsoft's symbol server with its keys for ELF and Mach-O: /_.debug/elf-buildid-sym-<id>/_.debug, /_.dwarf/mach-uuid-sym-<id>/_.dwarf.",
    paths: (image) => {
      const name = fileName(image)?.toLowerCase();
      if (image.kind === 'ios_dsym') {
        const id = image.key.slice(0, 32);
        return [`_.dwarf/mach-uuid-sym-${id}/_.dwarf`, ...(name ? [`${name}/mach-uuid-${id}/${name}`] : [])];
      }
      return buildIds(image).flatMap((id) => [
        `_.debug/elf-buildid-sym-${id}/_.debug`,
        ...(name ? [`${name}/elf-buildid-${id}/${name}`] : []),
      ]);
    },
  },
  breakpad: {
    description: "Breakpad's symbols: /<name>/<debug id>/<name>.sym.",
    paths: (image) => {
      const name = fileName(image);
      return name === null ? [] : debugIds(image).map((id) => `${name}/${id}/${name}.sym`);
    },
  },
} as const satisfies Record<string, Layout>;

export type SourceLayout = keyof typeof SOURCE_LAYOUTS;

const BREAKPAD_ID = /^[0-9a-f]{32,33}$/;

/** Possible build ids of an ELF file: the reported one, or the bytes that a debug id was made of. */
function buildIds({ kind, key, codeId }: WantedImage): string[] {
  if (kind !== 'android_ndk') return [];
  if (codeId !== null) return [codeId];
  return BREAKPAD_ID.test(key) ? [swappedGuid(key.slice(0, 32)), key.slice(0, 32)] : [key];
}

/** Breakpad writes ids in upper case with an age, which is 0 for all except Windows. */
function debugIds({ kind, key }: WantedImage): string[] {
  const id = key.slice(0, 32);
  const orders =
    kind === 'ios_dsym' || key.length === 33 ? [id] : [swappedGuid(id.padEnd(32, '0')), id.padEnd(32, '0')];
  return orders.map((order) => `${order.toUpperCase()}0`);
}

/** The image's file name, if it can be used in a URL path as it is. */
function fileName({ codeFile }: WantedImage): string | null {
  const name = codeFile?.split(/[/\\!]/).at(-1) ?? '';
  return /^[\w.+@ -]{1,200}$/.test(name) && !/^\.+$/.test(name) ? encodeURIComponent(name) : null;
}

/** What is needed for a missing key of an event, according to the event's images; null for keys of other kinds. */
export function wantedImage(
  { key, kind }: { key: string; kind: string },
  images: readonly { debugId: string | null; codeId?: string | null; codeFile: string | null }[],
): WantedImage | null {
  if (kind !== 'ios_dsym' && kind !== 'android_ndk') return null;
  const normal = normalizeKey(key);
  if (!/^[0-9a-f]{16,64}$/.test(normal)) return null;
  const image = images.find(({ debugId }) => debugId !== null && normalizeKey(debugId) === normal);
  const codeId = image?.codeId == null ? null : normalizeKey(image.codeId);
  return {
    kind,
    key: normal,
    codeId: codeId !== null && /^[0-9a-f]{16,64}$/.test(codeId) ? codeId : null,
    codeFile: image?.codeFile ?? null,
  };
}
