import { type MangledText, plain, type TypeText } from './mangled-text.js';

/** `Dp <type>`, `sp <expression>`: the pattern is read once per element of its packs. */
export function readExpansion(text: MangledText, read: () => TypeText): TypeText {
  const start = text.pos;
  const { packIndex, packLength } = text;
  const remembered = text.substitutions.length;
  text.packIndex = 0;
  text.packLength = -1;
  const first = read();
  const count = text.packLength;
  const known = text.substitutions.slice();
  const end = text.pos;
  const pack: TypeText[] = count === 0 ? [] : [first];
  for (let index = 1; index < count; index++) {
    text.pos = start;
    text.substitutions.length = remembered;
    text.packIndex = index;
    pack.push(read());
  }
  text.substitutions.length = 0;
  text.substitutions.push(...known);
  text.pos = end;
  text.packIndex = packIndex;
  text.packLength = packLength;
  return { left: '', right: '', shape: 'plain', pack };
}

/** The current element of a pack; anything else unchanged. */
export function elementOf(text: MangledText, type: TypeText): TypeText {
  if (!type.pack || text.packIndex < 0) return type;
  text.packLength = Math.max(text.packLength, type.pack.length);
  return type.pack[text.packIndex] ?? plain('');
}
