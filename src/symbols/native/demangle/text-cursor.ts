/** The name does not use the expected mangling, or uses an unsupported part of it. */
export class NotDemangled extends Error {}

export class TextCursor {
  pos = 0;

  constructor(readonly text: string) {}

  /** Empty at the end. */
  peek(ahead = 0): string {
    return this.text[this.pos + ahead] ?? '';
  }

  take(): string {
    return this.takeMany(1);
  }

  takeMany(length: number): string {
    const taken = this.text.slice(this.pos, this.pos + length);
    if (taken.length < length) throw new NotDemangled();
    this.pos += length;
    return taken;
  }

  accept(token: string): boolean {
    if (!this.text.startsWith(token, this.pos)) return false;
    this.pos += token.length;
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) throw new NotDemangled();
  }
}
