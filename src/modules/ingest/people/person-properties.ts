import { JsonBytes } from '../../../kernel/values/json-bytes.js';

export class TooManyMembers extends Error {}

/**
 * The members of an object's JSON text: key → the value's own text, so that numbers keep their digits. A repeated key has its last value.
 * The text must be valid JSON. Throws {@link TooManyMembers} for more members than `most`.
 */
export const propertiesOf = (text: string, most = Number.POSITIVE_INFINITY): Map<string, string> => {
  const members = new Map<string, string>();
  if (text === '{}') return members;
  const json = JsonBytes.over(Buffer.from(text));
  json.expect(0x7b);
  if (json.peek() === 0x7d) return members;
  do {
    json.expectKey();
    const key = JSON.parse(json.buf.toString('utf8', json.textStart - 1, json.textEnd + 1)) as string;
    json.expect(0x3a);
    json.peek();
    const from = json.pos;
    json.value(1);
    members.set(key, json.buf.toString('utf8', from, json.pos));
    if (members.size > most) throw new TooManyMembers();
  } while (json.another(0x7d));
  return members;
};

/** The JSON text of {@link propertiesOf}'s result. */
export const propertiesText = (members: ReadonlyMap<string, string>): string =>
  `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;

/** The size of a member in the JSON text, in bytes; escapes in its key aren't counted. */
export const memberBytes = (key: string, value: string): number =>
  Buffer.byteLength(key) + Buffer.byteLength(value) + 4;
