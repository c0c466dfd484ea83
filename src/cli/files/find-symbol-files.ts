import { mkdtemp, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { UsageError } from '../settings/settings.js';
import { decompress, unpackedName } from './decompress.js';
import { FolderWalk, type Place } from './folder-walk.js';
import { type Kind, type Recognised, recogniseFile } from './recognise-file.js';
import { type ScriptNaming, scriptKeys } from './script-keys.js';
import { isScriptName } from './script-text.js';
import { unzip } from './unzip.js';

/** How a file goes to the server: as it is, a folder as a zip, of a script the map that is in it. */
export type Form = 'file' | 'folder' | 'script';

/** A file to upload, or a folder to upload as a zip. */
export interface SymbolFile {
  path: string;
  /** For a person; a file of an archive has both names. */
  shown: string;
  kind: Kind;
  /** Name under which it is sent. */
  name: string;
  /** Null: the server reads it from the file. */
  matchKey: string | null;
  form: Form;
}

/** Files that are left out on purpose, with the reason. */
export interface LeftOut {
  shown: string;
  reason: string;
  /** It could not even be read. */
  isUnreadable?: true;
}

/** What is looked for, and where. */
export interface Search extends ScriptNaming {
  paths: readonly string[];
  /** Only this kind; a path that names a file is taken as it whatever it holds. */
  kind?: Kind | undefined;
  ignore: readonly string[];
  /** Below folders too scripts themselves; one that is named is taken anyway. */
  withScripts: boolean;
  /** For what archives hold; removed by the caller. */
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

const ENDINGS: Record<Form, string> = { file: '', folder: '.zip', script: '.map' };
const ARCHIVES = /\.(?:zip|aab)$/i;

/** What is looked for, for a person. */
export const LOOKED_FOR = 'source maps, dSYMs, mappings of R8 and ProGuard, native libraries and Flutter symbols';

/** The symbol files at or below the paths, by their content, also in archives. Throws UsageError. */
export async function findSymbolFiles(search: Search): Promise<{ files: SymbolFile[]; leftOut: LeftOut[] }> {
  const walker = new Walker(search);
  await walker.all(search.paths);
  const found = walker.withoutTwins();
  const keys = scriptKeys(
    found.filter(({ kind }) => kind === 'js_sourcemap'),
    search,
  );
  const files = found.map(({ path, shown, kind, form }) => ({
    path,
    shown,
    kind,
    form,
    name: `${basename(path)}${ENDINGS[form]}`,
    matchKey: keys.get(path) ?? null,
  }));
  return { files, leftOut: walker.leftOut };
}

class Walker {
  readonly leftOut: LeftOut[] = [];
  private readonly found: Found[] = [];
  private readonly walk: FolderWalk;

  constructor(private readonly search: Search) {
    this.walk = new FolderWalk(search.ignore);
  }

  async all(paths: readonly string[]): Promise<void> {
    for await (const place of this.walk.all(paths)) await this.place(place, place.path);
  }

  private async place({ path, folder, isNamed, form, problem }: Place, shown: string): Promise<void> {
    if (problem !== null) this.leftOut.push({ shown, reason: `it cannot be read: ${problem}`, isUnreadable: true });
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
    if (what?.packedBy) return this.packed(path, path, what.packedBy);
    if (what?.kind) this.take(path, path, dirname(path), what);
    else if (what !== null || !this.isLeftOut(path)) this.leaveOut(path, what);
  }

  private leaveOut(shown: string, what: Recognised | null): void {
    this.leftOut.push({ shown, reason: what?.what ?? `holds none of: ${LOOKED_FOR}` });
  }

  private isLeftOut(shown: string): boolean {
    return this.leftOut.some((one) => one.shown === shown);
  }

  /** One of each that would take the place of another: no stripped copy of a library, no map beside the one in its script. */
  withoutTwins(): Found[] {
    const full = new Set(this.found.filter(({ detail }) => detail === 'full').flatMap(({ ids }) => ids));
    const scripts = new Set(this.found.flatMap(({ form, path }) => (form === 'script' ? [`${path}.map`] : [])));
    return this.found.filter(({ detail, ids, path, shown }) => {
      const isStripped = detail === 'names' && ids.some((id) => full.has(id));
      const reason = isStripped
        ? 'stripped, and its copy with debug information is here'
        : 'its script names the map in itself';
      if (!isStripped && !scripts.has(path)) return true;
      this.leftOut.push({ shown, reason });
      return false;
    });
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
      return this.unlessBroken(path, shown, () => this.packed(path, shown, what.packedBy ?? 'gzip', true));
    if (what.isUnusable) this.leaveOut(shown, what);
    if (what.detail === 'code' && !this.search.withScripts) return;
    if (what.kind === null || (this.search.kind !== undefined && what.kind !== this.search.kind)) return;
    this.take(path, shown, root, what);
  }

  /** Servers of web pages have packed copies beside what they serve. */
  private async isPackedCopy(path: string): Promise<boolean> {
    const plain = join(dirname(path), unpackedName(path));
    return plain === path || isScriptName(plain) || (await stat(plain).catch(() => null)) !== null;
  }

  /** An archive below a folder that cannot be read is reported, and stops nothing. */
  private async unlessBroken(path: string, shown: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.leftOut.push({ shown, reason: error.message.replace(`${path} `, ''), isUnreadable: true });
    }
  }

  /** A file that was packed on its own, as build services keep them. */
  private async packed(path: string, shown: string, packer: 'gzip' | 'zstd', isAmongOthers = false): Promise<void> {
    const folder = await mkdtemp(join(this.search.scratch, 'packed-'));
    const plain = await decompress(path, packer, folder);
    const what = await this.recognised(plain, shown);
    if (what?.kind && (this.search.kind === undefined || what.kind === this.search.kind))
      this.take(plain, shown, folder, what);
    else if (!isAmongOthers || what?.isUnusable) this.leaveOut(shown, what);
  }

  private take(path: string, shown: string, folder: string, { kind, ids, detail, isScript }: Recognised): void {
    const form = isScript ? 'script' : 'file';
    if (kind !== null) this.found.push({ path, shown, folder, kind, form, ids, detail });
  }

  private async archive(path: string, shown: string): Promise<void> {
    const folder = await mkdtemp(join(this.search.scratch, 'archive-'));
    const before = this.found.length;
    await unzip(path, folder);
    for await (const place of this.walk.below(folder))
      await this.place(place, join(`${shown}:`, relative(folder, place.path)));
    if (this.found.length === before) this.leftOut.push({ shown, reason: `an archive without ${LOOKED_FOR}` });
  }

  /** A file that cannot be read is reported, and stops nothing. */
  private async recognised(path: string, shown: string): Promise<Recognised | null> {
    try {
      return await recogniseFile(path);
    } catch (error) {
      this.leftOut.push({ shown, reason: `it cannot be read: ${(error as Error).message}`, isUnreadable: true });
      return null;
    }
  }
}
