import { HOSTILE_JSON } from './hostile-values.js';

/**
 * JSON values that no argument expects, by their name in the report. A function derives its value from a valid one, or
 * from a valid entry if the argument is a list.
 */
export const HOSTILE_ARGUMENTS: Readonly<Record<string, string | ((good: unknown) => string)>> = {
  ...HOSTILE_JSON,
  ...texts({
    'NUL alone': '\u0000',
    'letters that combine': `e${'\u0301'.repeat(200)}`,
    'a text of 100,000': 'x'.repeat(100_000),
    'a text of 20,000 emoji': '😀'.repeat(20_000),
    'a flag of four code points': '🏴‍☠️',
    'line breaks': 'a\r\nset-cookie: b',
    'the name of the prototype': '__proto__',
    'the name of the constructor': 'constructor',
    'the word null': 'null',
    'the word NaN': 'NaN',
    'a number as text': '1e308',
    'a UUID of nothing': '01890000-0000-7000-8000-000000000000',
    'a UUID cut off': '01890000-0000-7000-8000',
    'a UUID in braces': '{01890000-0000-7000-8000-000000000000}',
    'a UUID with NUL': '01890000-0000-7000-8000-00000000000\u0000',
    'an id of nothing': 'psv_00000000000000000000000000',
    'an id of a strange alphabet': 'psv_ilou0000000000000000000000',
    'year 0001': '0001-01-01T00:00:00Z',
    'year 1000': '1000-01-01T00:00:00Z',
    'year 1699': '1699-12-31T23:59:59.999Z',
    'year 1800': '1800-06-01T00:00:00+14:00',
    'the last second': '9999-12-31T23:59:59.999Z',
    'past the last second': '9999-12-31T23:59:59.999-23:59',
    'year -1': '-000001-01-01T00:00:00Z',
    'a leap second': '2016-12-31T23:59:60Z',
    'the 30th of February': '2026-02-30T00:00:00Z',
    'a date alone': '2026-02-03',
  }),
  'the largest integer': '2147483647',
  'less than the smallest integer': '-2147483649',
  '-1e308': '-1e308',
  'next to nothing': '5e-324',
  'a list of null': '[null]',
  'a list of all sorts': '[null,true,-1,"a\\u0000",{}]',
  '250 deep': `${'['.repeat(250)}${']'.repeat(250)}`,
  '50 objects in one another': `${'{"a":'.repeat(50)}1${'}'.repeat(50)}`,
  'three thousand good entries': (good) => JSON.stringify(Array.from({ length: 3_000 }, () => good)),
  'a thousand good entries': (good) => JSON.stringify(Array.from({ length: 1_000 }, () => good)),
  ...cursors([[], [null], ['x'], [0], [-1e308], ['\u0000'], [{}], ['0', 'x'], [1, 1], ['2026-01-01', '\u0000']]),
  ...cursors([
    ['0000-01-01', '0'],
    ['infinity', '01890000-0000-7000-8000-000000000000'],
    ['2026-01-01T00:00:00.000Z', 'x'],
  ]),
};

function texts(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([called, text]) => [called, JSON.stringify(text)]));
}

function cursors(lists: readonly unknown[][]): Record<string, string> {
  return texts(
    Object.fromEntries(
      lists.map((list) => [
        `the cursor ${JSON.stringify(list)}`,
        Buffer.from(JSON.stringify(list)).toString('base64url'),
      ]),
    ),
  );
}
