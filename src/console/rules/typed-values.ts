const LITERAL = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/** What a person typed as the value that it means: `true` and `12` are themselves, quotes and everything else make a text. */
export function typedValue(text: string): unknown {
  const plain = text.trim();
  if (LITERAL.test(plain) || /^["[{]/.test(plain)) {
    try {
      return JSON.parse(plain) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** The way back: a text that would be read as something else stands in quotes. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return typedValue(value) === value ? value : JSON.stringify(value);
}
