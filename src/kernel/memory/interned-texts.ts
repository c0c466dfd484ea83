/** Assigns numbers to a small set of texts, so that many records can refer to them. */
export class InternedTexts {
  private readonly numbers = new Map<string, number>();

  /**
   * @param most maximum number of texts; then numbering starts over.
   * @param onFull must drop everything that holds a number.
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
