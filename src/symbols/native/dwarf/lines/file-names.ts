import type { StringPool } from '../../../table/string-pool.js';
import { textAt } from '../../text-at.js';
import type { WorkBudget } from '../../work-budget.js';
import type { Unit } from '../unit.js';
import type { LineHeader } from './line-header.js';

const ABSOLUTE = /^(\/|\\|[A-Za-z]:[\\/]|(dart|package|file|org-dartlang-[a-z-]+):)/;
const WINDOWS = /^([A-Za-z]:[\\/]|\\)/;

/** Assigns numbers to the full paths of one unit's files on first use. */
export class FileNames {
  private readonly numbers: Array<number | undefined> = [];

  constructor(
    private readonly unit: Unit,
    private readonly header: LineHeader,
    private readonly strings: StringPool,
    private readonly budget: WorkBudget,
  ) {}

  /** The string number of a file's path; 0 for an invalid index. */
  number(index: number): number {
    const known = this.numbers[index];
    if (known !== undefined) return known;
    if (index >= this.header.files.length) return 0;
    const path = this.path(index);
    this.budget.spend(path.length);
    const number = this.strings.add(path);
    this.numbers[index] = number;
    return number;
  }

  /** Joins compilation directory, include directory and name as far as they are relative (section 6.2.4). */
  private path(index: number): string {
    const { directories, files } = this.header;
    const file = files[index];
    const name = file ? textAt(file.text, file.at) : '';
    if (!file || name === '' || ABSOLUTE.test(name)) return name;
    const place = directories[file.directory];
    const directory = place ? textAt(place.text, place.at) : '';
    const inside = join(directory, name);
    return directory !== '' && ABSOLUTE.test(directory) ? inside : join(this.unit.compDir, inside);
  }
}

function join(directory: string, name: string): string {
  if (directory === '') return name;
  if (name === '' || ABSOLUTE.test(name)) return name || directory;
  const separator = WINDOWS.test(directory) ? '\\' : '/';
  return /[\\/]$/.test(directory) ? directory + name : directory + separator + name;
}
