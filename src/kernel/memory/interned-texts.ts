/** Numbers in place of texts of which there are few, so that many records can name them. */
export class InternedTexts {
  private readonly numbers = new Map<string, number>();

  /**
   * @param most numbers that are given out; then all begins anew.
   * @param onFull forgets everything that has a number.
   */
  constructor(
    private readonly most: number,
    private readonly onFull: () => void,
  ) {}

  numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    if (this.numbers.size === this.most) {
      this.numbers.clear();
      this.onFull();
    }
    this.numbers.set(text, this.numbers.size);
    return this.numbers.size - 1;
  }
}
