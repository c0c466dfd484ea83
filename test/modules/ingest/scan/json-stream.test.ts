import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MALFORMED } from '../../../../src/kernel/values/json-bytes.js';
import { type JsonListener, JsonStream } from '../../../../src/modules/ingest/scan/json-stream.js';
import { storableJsonText } from '../../../../src/modules/ingest/scan/storable-json-text.js';

interface Read {
  /** Where the value ended; -1 if it did not, null if it is malformed. */
  end: number | null;
  /** Watched members: level, key and shape. */
  seen: string[];
  kept: string;
}

/** Reads text in pieces of these sizes, repeatedly; what one push leaves over comes with the next. */
function read(text: string, sizes: readonly number[], keep: (key: string | null) => boolean = () => true): Read {
  const bytes = Buffer.from(text);
  const seen: string[] = [];
  const kept: Buffer[] = [];
  const listener: JsonListener = {
    begin: (level, key, shape) => {
      seen.push(`${level} ${key} ${shape}`);
      return keep(key);
    },
    bytes: (part) => kept.push(Buffer.from(part)),
    end: () => undefined,
  };
  const stream = new JsonStream(0, 1, listener);
  const result = (end: number | null): Read => ({ end, seen, kept: Buffer.concat(kept).toString() });
  let at = 0;
  let to = 0;
  try {
    for (let n = 0; to < bytes.length; n++) {
      to = Math.min(bytes.length, to + (sizes[n % sizes.length] as number));
      // A copy, because a window is overwritten.
      const window = Buffer.from(bytes.subarray(at, to));
      const stopped = stream.push(window, 0, window.length);
      at += stopped;
      window.fill(0x21);
      if (stream.isDone) return result(at);
    }
  } catch (error) {
    if (error !== MALFORMED) throw error;
    return result(null);
  }
  return result(-1);
}

const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
const json = fc.json({ stringUnit: 'binary', maxDepth: 4 });
/** JSON text as other writers produce it: with whitespace, escapes and numbers in every form. */
const written = fc.tuple(json, fc.constantFrom('', ' ', '\n\t')).map(([text, space]) =>
  JSON.stringify(JSON.parse(text), null, space)
    .replace(/[^\x20-\x7e\n\t]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/e\+/g, 'E+'),
);

const x = suite('a JSON value read bit by bit');

x('is kept as it is stored, however it is cut', () => {
  fc.assert(
    fc.property(written, sizes, (text, cuts) => {
      const { end, kept } = read(`${text},`, cuts, (key) => key === null);
      assert.is(end, Buffer.byteLength(text));
      assert.equal(JSON.parse(kept), JSON.parse(storableJsonText(text)));
    }),
    { numRuns: 1_000 },
  );
});

x('is malformed exactly when JSON.parse says so', () => {
  const spoilt = fc.tuple(
    written,
    fc.nat(),
    fc.constantFrom('', '"', '\\', ',', ':', '}', ']', '{', '[', '0', '-', 'e', 'n', '\u0001'),
  );
  fc.assert(
    fc.property(spoilt, sizes, ([text, place, put], cuts) => {
      const at = place % text.length;
      const changed = `${text.slice(0, at)}${put}${text.slice(at + 1)}`;
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      const { end } = read(`${changed} \n`, cuts);
      const isWhole = end !== null && end >= 0 && changed.slice(end).trim() === '';
      assert.is(isWhole, isJson, changed);
    }),
    { numRuns: 2_500 },
  );
});

x('reports the members it watches, and keeps those that are requested', () => {
  const text = `{"a":1,"b":{"c":[2]},"\\u0064":"x","${'k'.repeat(200)}":null,"b":[3]} rest`;
  for (const cut of [1, 3, 7, 1000]) {
    const found = read(text, [cut], (key) => key === 'b');
    assert.equal(found.seen, ['0 null 2', '1 a 4', '1 b 2', '1 d 1', '1 null 5', '1 b 3']);
    assert.is(found.kept, '{"c":[2]}[3]');
    assert.is(found.end, text.length - 5);
  }
});

x('makes storable what PostgreSQL cannot store', () => {
  const text =
    '["\\u0000","\\ud800","\\udc00x","\\ud83d\\ude00","\\ud83d\\n","\\ud83d\\u0041",1e400,-1E999,1.5e3,"\\\\u0000"]';
  for (const cut of [1, 2, 5, 1000])
    assert.is(
      read(text, [cut], (key) => key === null).kept,
      '["\\ufffd","\\ufffd","\\ufffdx","\\ud83d\\ude00","\\ufffd\\n","\\ufffd\\u0041",null,null,1.5e3,"\\\\u0000"]',
    );
});

x('nests at most 256 levels deep', () => {
  assert.is(read('['.repeat(256) + ']'.repeat(256), [50]).end, 512);
  assert.is(read('['.repeat(257) + ']'.repeat(257), [50]).end, null);
});

x.run();
