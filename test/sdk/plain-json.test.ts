import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Breadcrumbs } from '../../src/sdk/core/breadcrumbs.js';
import { thrown } from '../../src/sdk/core/crash-reports.js';
import { plainJson } from '../../src/sdk/core/plain-json.js';
import { ownMilliseconds } from '../support/processor-time.js';

const circle: Record<string, unknown> = { name: 'round' };
circle.itself = circle;

const throwing = {
  fine: 1,
  get broken(): never {
    throw new Error('not now');
  },
};

/** Stack lines of V8, then of SpiderMonkey and JavaScriptCore. */
const STACK = `Error: at 10 to 20
    at pay (https://shop.example/a.js:10:5)
    at async pay (file:///srv/a.js:1:2)
    at async https://shop.example/b.js:3:4
    at eval (eval at run (https://shop.example/c.js:1:2), <anonymous>:7:8)
    at new Promise (<anonymous>)
pay@https://shop.example/a.js:10:5
@https://shop.example/@scope/d.js:9:1
[native code]`;

const x = suite('what callers give, as JSON');

x('keeps JSON values unchanged, and stringifies or omits everything else', () => {
  const at = new Date('2026-01-01T00:00:00Z');
  const rows: [given: unknown, json: unknown][] = [
    [
      { a: [1, 'x', null, true], at },
      { a: [1, 'x', null, true], at: '2026-01-01T00:00:00.000Z' },
    ],
    [{ id: 2n ** 70n }, { id: '1180591620717411303424' }],
    [
      [Number.NaN, Number.POSITIVE_INFINITY, undefined],
      [null, null, null],
    ],
    [{ not: undefined, call: () => 1, sign: Symbol('s') }, { sign: 'Symbol(s)' }],
    [circle, { name: 'round', itself: null }],
    [throwing, { fine: 1, broken: null }],
    [{ toJSON: () => throwing.broken }, null],
    [new Proxy({}, { ownKeys: () => throwing.broken }), null],
    [JSON.parse('{"__proto__": {"a": 1}}'), JSON.parse('{"__proto__": {"a": 1}}')],
    [undefined, null],
  ];
  for (const [given, json] of rows) assert.is(JSON.stringify(plainJson(given)), JSON.stringify(json));
});

x('is limited in depth and in size', () => {
  let deep: unknown = 'bottom';
  for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
  assert.is(JSON.stringify(plainJson(deep)).replace(/[^[]/g, '').length, 260);
  const wide: unknown[] = Array.from({ length: 50 }, () => ({ text: 'x'.repeat(1_000) }));
  wide.push(...Array.from({ length: 100_000 }, (_, n) => n));
  const text = JSON.stringify(plainJson(wide, 10_000));
  assert.ok(text.length > 9_000 && text.length < 10_500, String(text.length));
  // Each branch leads to all of the others: without a limit there would be no end.
  const net: unknown[][] = Array.from({ length: 30 }, () => []);
  for (const each of net) each.push(...net);
  assert.ok(JSON.stringify(plainJson(net)).length < 600_000);
});

x('keeps a breadcrumb as it was when given, whatever it was', () => {
  const crumbs = new Breadcrumbs({ now: () => 0 } as never);
  const order = { items: 1 };
  crumbs.leave('order', 'changed', order);
  order.items = 2;
  crumbs.leave('order', 'broken', circle as never);
  crumbs.leave('order', 'large', 'x'.repeat(100_000));
  const { length } = JSON.stringify(crumbs.all);
  assert.ok(length < 9_000, String(length));
  assert.equal(
    crumbs.all.slice(0, 2).map(({ data }) => data),
    [{ items: 1 }, { name: 'round', itself: null }],
  );
});

x('describes anything that was thrown', () => {
  const said = (value: unknown) => [thrown(value).exception.type, thrown(value).exception.value];
  assert.equal(said(new TypeError('it broke')), ['TypeError', 'it broke']);
  assert.equal(said({ code: 7n, circle }), ['UnhandledValue', '{"code":"7","circle":{"name":"round","itself":null}}']);
  assert.equal(said(Object.create(null)), ['UnhandledValue', '{}']);
  assert.equal(
    said({
      get stack(): never {
        return throwing.broken;
      },
    }),
    ['UnhandledValue', '{"stack":null}'],
  );
  assert.equal(said(Object.assign(() => 1, { toString: () => throwing.broken })), ['UnhandledValue', 'function']);
});

x('finds the frames below any message, in time proportional to its length', async () => {
  const people = Array.from({ length: 10_000 }, (_, n) => ({
    email: `person${n}@example.com`,
    at: '2026-01-01T10:00:00',
  }));
  for (const message of [JSON.stringify(people), `${'a ('.repeat(100_000)}1:2)`, `${':1'.repeat(200_000)}x`]) {
    let report = thrown(null);
    const spent = await ownMilliseconds(() => {
      report = thrown(new RangeError(`first\n at ${message}`));
    }, 1);
    assert.ok(spent < 500, `${spent} ms`);
    assert.is(report.exception.value.length, 100_000);
    assert.match(report.raw_stacktrace?.split('\n').at(-1) ?? '', /^ {4}at .*:\d+:\d+\)?$/);
  }
  const report = thrown(Object.assign(new Error(), { stack: STACK }));
  const isFrame = (line: string) => !/^Error: |<anonymous>\)$|native code/.test(line);
  assert.equal(report.raw_stacktrace?.split('\n'), STACK.split('\n').filter(isFrame));
  assert.is(thrown(Object.assign(new Error(), { stack: 'Error: 1' })).raw_stacktrace, undefined);
});

x.run();
