import { basename, dirname } from 'node:path';

const longestFile = 400;
const mostChildren = 25;
const unfinished = /\b(?:TODO|FIXME|XXX|HACK)\b|not implemented/;
const vagueNames = /(?:^|[/.-])(?:utils?|helpers?|common|misc)(?:[/.-]|$)/;
const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)*\.tsx?$/;
const migration = /^src\/migrations\//;

/** Problems with one file: its name, its length or unfinished parts. */
export function fileFaults(file: string, code: string): string[] {
  const faults: string[] = [];
  const name = basename(file);
  const lines = code.split('\n').length - 1;
  if (name === 'index.ts') faults.push(`${file}: a barrel; import from the file that has the thing`);
  if (vagueNames.test(file)) faults.push(`${file}: name the file for what it exports`);
  if (!kebabCase.test(name) && !migration.test(file)) faults.push(`${file}: file names are kebab-case`);
  if (lines > longestFile) faults.push(`${file}: ${lines} lines, split it by noun (at most ${longestFile})`);
  if (!file.startsWith('test/')) faults.push(...unfinishedLines(file, code));
  if (/^test\/.*\.test\.ts$/.test(file)) faults.push(...exclusiveTests(file, code));
  return faults;
}

/** Folders with too many direct entries. The output of a compiler, checked in for a test, is exempt. */
export function folderFaults(files: readonly string[]): string[] {
  const children = new Map<string, Set<string>>();
  for (const file of files.filter((path) => !path.startsWith('test/fixtures/'))) {
    for (let path = file; path.includes('/'); path = dirname(path)) {
      const folder = dirname(path);
      children.set(folder, (children.get(folder) ?? new Set()).add(basename(path)));
    }
  }
  return [...children].flatMap(([folder, { size }]) =>
    size > mostChildren ? [`${folder}: ${size} files and folders, give it rooms (at most ${mostChildren})`] : [],
  );
}

function unfinishedLines(file: string, code: string): string[] {
  return code
    .split('\n')
    .flatMap((line, at) => (unfinished.test(line) ? [`${file}:${at + 1}: unfinished by its own word`] : []));
}

function exclusiveTests(file: string, code: string): string[] {
  return code
    .split('\n')
    .flatMap((line, at) => (/^\s*\w+\.only\(/.test(line) ? [`${file}:${at + 1}: .only( hides the other tests`] : []));
}
