import { SymbolFileError } from '../symbol-file-error.js';

/**
 * The steps a conversion may take. Shared, overlapping or repeated references (one abbreviation table used by every
 * unit, one range list used by every function) would otherwise allow work quadratic in the file's size.
 */
export class WorkBudget {
  private left: number;

  constructor(steps: number) {
    this.left = steps;
  }

  /** A budget well above what real toolchain output of `bytes` bytes needs. */
  static forBytes(bytes: number): WorkBudget {
    return new WorkBudget(8_000_000 + bytes * 16);
  }

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0)
      throw new SymbolFileError(
        'too_complex',
        'The debug information takes more work than a file of its size can need.',
      );
  }
}
