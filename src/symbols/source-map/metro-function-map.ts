interface Entry {
  line: number;
  column: number;
  name: string;
}

/**
 * Reads a function map from Metro's `x_facebook_sources`: the function that starts at each position of a source.
 *
 * @returns a lookup by position (1-based line, 0-based column), or null when the map is invalid
 */
export function openFunctionMap(json: string): ((line: number, column: number) => string | null) | null {
  const value = JSON.parse(json) as { names?: unknown; mappings?: unknown };
  if (!Array.isArray(value.names) || typeof value.mappings !== 'string') return null;
  const entries: Entry[] = [];
  let line = 1;
  let name = 0;
  for (const group of value.mappings.split(';')) {
    let column = 0;
    for (const segment of group.split(',')) {
      const fields = decodeSigned(segment);
      if (fields === null) return null;
      if (fields.length === 0) continue;
      column += fields[0] ?? 0;
      name += fields[1] ?? 0;
      line += fields[2] ?? 0;
      entries.push({ line, column, name: String(value.names[name] ?? '') });
    }
  }
  return (atLine, atColumn) => {
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = entries[middle] as Entry;
      if (entry.line < atLine || (entry.line === atLine && entry.column <= atColumn)) low = middle + 1;
      else high = middle;
    }
    return entries[low - 1]?.name || null;
  };
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The numbers in a short base64-VLQ text, or null when it is invalid. */
function decodeSigned(text: string): number[] | null {
  const numbers: number[] = [];
  let value = 0;
  let scale = 1;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0 || scale > 2 ** 30) return null;
    value += (digit & 31) * scale;
    if ((digit & 32) !== 0) {
      scale *= 32;
      continue;
    }
    numbers.push(value % 2 === 0 ? value / 2 : -(value - 1) / 2);
    value = 0;
    scale = 1;
  }
  return scale === 1 ? numbers : null;
}
