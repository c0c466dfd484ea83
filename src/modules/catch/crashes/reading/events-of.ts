import { type JsonBytes, readDocument } from '../../../../kernel/values/json-bytes.js';
import { MOST_VALUES } from '../../../../kernel/values/json-extent.js';

const MOST_EVENTS = 1_000;
const EVENTS = Buffer.from('events');

/** Why no events can be read from a body: it has a different shape, no events or more than 1000, or more values than any body may have. */
export type NoEvents = 'invalid_events' | 'payload_too_large';

/**
 * The bytes of each event in a body: those in the array `events` of its object, or the whole object if it has none. The whole body is
 * checked to be JSON, without building objects.
 */
export const eventsOf = (bytes: Buffer): Buffer[] | NoEvents => readDocument(bytes, eventsIn) ?? 'invalid_events';

/** A repeated member has its last value, as in any JSON. */
function eventsIn(json: JsonBytes): Buffer[] | NoEvents {
  json.expect(0x7b);
  const start = json.pos - 1;
  let events: Buffer[] | NoEvents | undefined;
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
  if (!json.skipSpace()) return 'invalid_events';
  return events === undefined ? [json.buf.subarray(start, end)] : events;
}

function elements(json: JsonBytes): Buffer[] | NoEvents {
  if (json.peek() !== 0x5b) {
    json.value(1);
    return 'invalid_events';
  }
  json.pos++;
  if (json.peek() === 0x5d) {
    json.pos++;
    return 'invalid_events';
  }
  const found: Buffer[] = [];
  let count = 0;
  do {
    json.peek();
    const start = json.pos;
    json.value(2);
    if (count++ < MOST_EVENTS) found.push(json.buf.subarray(start, json.pos));
  } while (json.another(0x5d));
  if (count > MOST_VALUES) return 'payload_too_large';
  return count > MOST_EVENTS ? 'invalid_events' : found;
}
