import { SymbolFileError } from '../symbol-file-error.js';

/** The distinct texts of a table, up to `capacity` characters in total. Number 0 is the empty text. */
export class StringPool {
  private readonly numbers = new Map<string, number>([['', 0]]);
  private readonly texts: string[] = [''];

  constructor(private capacity: number) {}

  add(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      this.capacity -= text.length;
      if (this.capacity < 0)
        throw new SymbolFileError('too_complex', 'The names are longer than a file of its size can need.');
      number = this.texts.length;
      this.texts.push(text);
      this.numbers.set(text, number);
    }
    return number;
  }

  get all(): readonly string[] {
    return this.texts;
  }
}
