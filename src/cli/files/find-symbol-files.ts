import { mkdtemp, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { UsageError } from '../settings/settings.js';
import { decompress, unpackedName } from './decompress.js';
import { FolderWalk, type Place } from './folder-walk.js';
import { mapOf } from './map-of-script.js';
import { type Kind, type Recognised, recogniseFile } from './recognise-file.js';
import { type ScriptNaming, scriptKeys } from './script-keys.js';
import { isScriptName } from './script-text.js';
import { unzip } from './unzip.js';

/** How a file is sent: as it is, a folder as a zip, a script as the map inside it. */
export type Form = 'file' | 'folder' | 'script';

/** A file to upload, or a folder to upload as a zip. */
export interface SymbolFile {
  path: string;
  /** The displayed name; a file in an archive shows both names. */
  shown: string;
  kind: Kind;
  /** The name it is sent under. */
  name: string;
  /** Null: the server reads it from the file. */
  matchKey: string | null;
  form: Form;
}

/** A file that is left out on purpose, and why. */
export interface LeftOut {
  shown: string;
  reason: string;
  /** It could not be read. */
  isUnreadable?: true;
}

export interface Search extends ScriptNaming {
  paths: readonly string[];
  /** Only this kind; a file named directly is taken as this kind whatever it contains. */
  kind?: Kind | undefined;
  ignore: readonly string[];
  /** Also take scripts found in folders; a script named directly is always taken. */
  withScripts: boolean;
  /** Where archives are unpacked; the caller removes it. */
  scratch: string;
}

interface Found {
  path: string;
  shown: string;
  folder: string;
  kind: Kind;
  form: Form;
  ids: readonly string[];
  detail: Recognised['detail'];
}

const MAP = '.map';
const ENDINGS: Record<Form, string> = { file: '', folder: '.zip', script: MAP };
const ARCHIVES = /\.(?:zip|aab)$/i;

/** What the search looks for, as shown to the user. */
export const LOOKED_FOR = 'source maps, dSYMs, R8 or ProGuard mappings, native libraries, Flutter symbols';

/** Finds symbol files at or below the paths by content, also in archives. Throws UsageError. */
export async function findSymbolFiles(search: Search): Promise<{ files: SymbolFile[]; leftOut: LeftOut[] }> {
  const walker = new Walker(search);
  await walker.all(search.paths);
  const found = walker.withoutTwins();
  const scripts = await walker.scriptsOfMaps();
  const scriptOf = (path: string) => walker.placeOf(scripts.get(path) ?? path);
  const maps = found.filter(({ kind }) => kind === 'js_sourcemap');
  const keys = scriptKeys(
    maps.map(({ path, folder }) => ({ path: scriptOf(path), folder: walker.placeOf(folder) })),
    search,
  );
  const files = found.map(({ path, shown, kind, form }) => ({
    path,
    shown,
    kind,
    form,
    name: `${basename(path)}${ENDINGS[form]}`,
    matchKey: keys.get(scriptOf(path)) ?? null,
  }));
  return { files, leftOut: walker.leftOut };
}

class Walker {
  readonly leftOut: LeftOut[] = [];
  private readonly found: Found[] = [];
  /** Scripts that name their map. */
  private readonly naming: { script: string; address: string }[] = [];
  private readonly walk: FolderWalk;
  /** The folders that archives were unpacked to, and the places that they stand for. */
  private readonly unpacked = new Map<string, string>();

  constructor(private readonly search: Search) {
    this.walk = new FolderWalk(search.ignore);
  }

  async all(paths: readonly string[]): Promise<void> {
    for await (const place of this.walk.all(paths)) await this.place(place, place.path);
  }

  /** Where a file or folder was found: an archive is the folder of its name. */
  placeOf(path: string): string {
    for (const [folder, place] of this.unpacked)
      if (path === folder || path.startsWith(folder + sep)) return place + path.slice(folder.length);
    return path;
  }

  private async place({ path, folder, isNamed, form, problem }: Place, shown: string): Promise<void> {
    if (problem !== null) this.leftOut.push({ shown, reason: `could not be read: ${problem}`, isUnreadable: true });
    else if (form === 'bundle') this.bundle(path, shown, folder);
    else if (isNamed) await this.named(path);
    else await this.file(path, shown, folder);
  }

  private async named(path: string): Promise<void> {
    const { kind } = this.search;
    if (kind !== undefined) {
      const place = { path, shown: path, folder: dirname(path), kind, form: 'file' as const, ids: [], detail: null };
      this.found.push(place);
      return;
    }
    const what = await this.recognised(path, path);
    if (what?.isArchive) return this.archive(path, path);
    if (what?.packedBy) return this.packed(path, path, dirname(path), what.packedBy);
    if (what?.kind) this.add(path, path, dirname(path), what);
    else if (what !== null || !this.isLeftOut(path)) this.leaveOut(path, what);
  }

  private leaveOut(shown: string, what: Recognised | null): void {
    this.leftOut.push({ shown, reason: what?.what ?? `contains none of: ${LOOKED_FOR}` });
  }

  private isLeftOut(shown: string): boolean {
    return this.leftOut.some((one) => one.shown === shown);
  }

  /**
   * Drops duplicates that would replace each other: stripped copies of a library, and maps that their script embeds.
   */
  withoutTwins(): Found[] {
    const full = new Set(this.found.filter(({ detail }) => detail === 'full').flatMap(({ ids }) => ids));
    const scripts = new Set(this.found.flatMap(({ form, path }) => (form === 'script' ? [`${path}.map`] : [])));
    return this.found.filter(({ detail, ids, path, shown }) => {
      const isStripped = detail === 'names' && ids.some((id) => full.has(id));
      const reason = isStripped
        ? 'stripped; a copy with debug information was found'
        : 'the map is already embedded in its script';
      if (!isStripped && !scripts.has(path)) return true;
      this.leftOut.push({ shown, reason });
      return false;
    });
  }

  /** The scripts whose maps have another name, such as `app.min.js` of `app.min.map`, by map. */
  async scriptsOfMaps(): Promise<Map<string, string>> {
    const scripts = new Map<string, string>();
    for (const { script, address } of this.naming.toReversed()) {
      const named = await mapOf(script, address);
      if (named !== null && named !== (await realpath(script)) + MAP) scripts.set(named, script);
    }
    const own = await Promise.all(this.found.map(async ({ path }) => [path, await realpath(path)] as const));
    return new Map(own.flatMap(([path, real]) => (scripts.has(real) ? [[path, scripts.get(real) as string]] : [])));
  }

  private bundle(path: string, shown: string, folder: string): void {
    const { kind = 'ios_dsym' } = this.search;
    if (kind === 'ios_dsym') this.found.push({ path, shown, folder, kind, form: 'folder', ids: [], detail: null });
  }

  private async file(path: string, shown: string, root: string): Promise<void> {
    const what = await this.recognised(path, shown);
    if (what === null) return;
    if (what.isArchive && ARCHIVES.test(path)) return this.unlessBroken(path, shown, () => this.archive(path, shown));
    if (what.packedBy && !(await this.isPackedCopy(path)))
      return this.unlessBroken(path, shown, () => this.packed(path, shown, root, what.packedBy ?? 'gzip', true));
    if (what.isUnusable) this.leaveOut(shown, what);
    if (what.mapAddress) this.naming.push({ script: path, address: what.mapAddress });
    if (what.detail === 'code' && !this.search.withScripts) return;
    if (what.kind === null || (this.search.kind !== undefined && what.kind !== this.search.kind)) return;
    this.add(path, shown, root, what);
  }

  /** Web servers keep compressed copies beside the files they serve. */
  private async isPackedCopy(path: string): Promise<boolean> {
    const plain = join(dirname(path), unpackedName(path));
    return plain === path || isScriptName(plain) || (await stat(plain).catch(() => null)) !== null;
  }

  /** An unreadable archive in a folder is reported but does not stop the search. */
  private async unlessBroken(path: string, shown: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.leftOut.push({ shown, reason: error.message.replace(`${path} `, ''), isUnreadable: true });
    }
  }

  /** A single compressed file, as CI services store them. */
  private async packed(
    path: string,
    shown: string,
    root: string,
    packer: 'gzip' | 'zstd',
    isAmongOthers = false,
  ): Promise<void> {
    const folder = await mkdtemp(join(this.search.scratch, 'packed-'));
    this.unpacked.set(folder, dirname(this.placeOf(path)));
    const plain = await decompress(path, packer, folder);
    const what = await this.recognised(plain, shown);
    if (what?.kind && (this.search.kind === undefined || what.kind === this.search.kind))
      this.add(plain, shown, root, what);
    else if (!isAmongOthers || what?.isUnusable) this.leaveOut(shown, what);
  }

  private add(path: string, shown: string, folder: string, { kind, ids, detail, isScript }: Recognised): void {
    const form = isScript ? 'script' : 'file';
    if (kind !== null) this.found.push({ path, shown, folder, kind, form, ids, detail });
  }

  private async archive(path: string, shown: string): Promise<void> {
    const folder = await mkdtemp(join(this.search.scratch, 'archive-'));
    this.unpacked.set(folder, this.placeOf(path).replace(/\.\w+$/, ''));
    const before = this.found.length;
    await unzip(path, folder);
    for await (const place of this.walk.below(folder))
      await this.place(place, join(`${shown}:`, relative(folder, place.path)));
    if (this.found.length === before)
      this.leftOut.push({ shown, reason: `archive that contains none of: ${LOOKED_FOR}` });
  }

  /** An unreadable file is reported but does not stop the search. */
  private async recognised(path: string, shown: string): Promise<Recognised | null> {
    try {
      return await recogniseFile(path);
    } catch (error) {
      this.leftOut.push({ shown, reason: `could not be read: ${(error as Error).message}`, isUnreadable: true });
      return null;
    }
  }
}
