import { isUtf8 } from 'node:buffer';
import { JsonBytes, MALFORMED, NEED_MORE } from '../../../../kernel/values/json-bytes.js';

const MOST_EVENTS = 1_000;
const EVENTS = Buffer.from('events');
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes of each event of a body: those in the array `events` of its object, or the whole object when it has none. Null for anything
 * else, for no event and for more than 1000. All of the body is checked to be JSON; nothing is built of it.
 */
export function eventsOf(bytes: Buffer): Buffer[] | null {
  if (!isUtf8(bytes)) return null;
  const json = new JsonBytes();
  json.buf = bytes;
  json.pos = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  json.end = bytes.length;
  json.isWhole = true;
  try {
    return eventsIn(json);
  } catch (error) {
    if (error === MALFORMED || error === NEED_MORE) return null;
    throw error;
  }
}

/** A member that is given twice has its last value, as in any JSON. */
function eventsIn(json: JsonBytes): Buffer[] | null {
  json.expect(0x7b);
  const start = json.pos - 1;
  let events: Buffer[] | null | undefined;
  if (json.peek() === 0x7d) json.pos++;
  else {
    do {
      json.expectKey();
      const isEvents = json.textIs(EVENTS);
      json.expect(0x3a);
      if (isEvents) events = elements(json);
      else json.value(1);
    } while (json.another(0x7d));
  }
  const end = json.pos;
  if (!json.skipSpace()) return null;
  return events === undefined ? [json.buf.subarray(start, end)] : events;
}

/** The elements of the array that is next; null when there are none or too many, and for what is no array. */
function elements(json: JsonBytes): Buffer[] | null {
  if (json.peek() !== 0x5b) {
    json.value(1);
    return null;
  }
  json.pos++;
  if (json.peek() === 0x5d) {
    json.pos++;
    return null;
  }
  const found: Buffer[] = [];
  let isTooMany = false;
  do {
    json.peek();
    const start = json.pos;
    json.value(2);
    if (found.length < MOST_EVENTS) found.push(json.buf.subarray(start, json.pos));
    else isTooMany = true;
  } while (json.another(0x5d));
  return isTooMany ? null : found;
}
