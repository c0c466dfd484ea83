import { runInThisContext } from 'node:vm';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { stackLines } from '../../src/sdk/core/stack-lines.js';
import { scriptFrameOf } from '../../src/symbols/symbolication/script-trace.js';
import { ownMilliseconds } from '../support/processor-time.js';

/** A single line takes less time than the CPU time counter can measure. */
const GOES = 200;

const trace = suite('stack traces of scripts');

type Place = [string | null, string, number, number];

/** Lines as the engines print them, with function, file, line and column from 1. */
const LINES: [string, string, Place | null][] = [
  ['V8', '    at totalOf (https://shop.example/app.js:1:4711)', ['totalOf', 'https://shop.example/app.js', 1, 4711]],
  ['V8, no name', '    at https://shop.example/app.js:1:4711', [null, 'https://shop.example/app.js', 1, 4711]],
  ['V8, async', '    at async load (file:///srv/app.mjs:3:9)', ['load', 'file:///srv/app.mjs', 3, 9]],
  ['V8, async, no name', '    at async file:///srv/app.mjs:3:9', [null, 'file:///srv/app.mjs', 3, 9]],
  ['V8, new', '    at new Cart (C:\\shop\\app.js:2:7)', ['new Cart', 'C:\\shop\\app.js', 2, 7]],
  ['V8, another name', '    at Cart.run [as go] (app.js:2:7)', ['Cart.run', 'app.js', 2, 7]],
  [
    'V8, eval',
    '    at eval (eval at go (https://a/app.js:1:20), <anonymous>:1:1)',
    ['eval', 'https://a/app.js', 1, 20],
  ],
  [
    'V8, eval in eval',
    '    at run (eval at f (eval at go (https://a/app.js:1:20), <anonymous>:3:4), <anonymous>:1:1)',
    ['run', 'https://a/app.js', 1, 20],
  ],
  [
    'V8, async in eval',
    '    at async load (eval at go (https://a/app.js:1:20), <anonymous>:1:1)',
    ['load', 'https://a/app.js', 1, 20],
  ],
  [
    'V8, parentheses',
    '    at run (C:\\Program Files (x86)\\Shop\\app.js:4:2)',
    ['run', 'C:\\Program Files (x86)\\Shop\\app.js', 4, 2],
  ],
  [
    'V8, parentheses, no name',
    '    at async https://a/app/(shop)/page (1).js:1:20',
    [null, 'https://a/app/(shop)/page (1).js', 1, 20],
  ],
  [
    'V8, parentheses, eval',
    '    at eval (eval at go (/srv/(shop)/app.js:1:20), <anonymous>:1:1)',
    ['eval', '/srv/(shop)/app.js', 1, 20],
  ],
  ['V8, parentheses in a name', '    at Object.pay (card) (app.js:2:7)', ['Object.pay (card)', 'app.js', 2, 7]],
  ['V8, eval in native code', '    at eval (eval at go (native), <anonymous>:1:1)', null],
  ['V8, like async', '    at asyncGeneratorStep (app.js:2:7)', ['asyncGeneratorStep', 'app.js', 2, 7]],
  ['Node, more fields', '    at pay (/srv/app.js:2:7) {', ['pay', '/srv/app.js', 2, 7]],
  ['Node, one of several errors', '        at /srv/app.js:2:7,', [null, '/srv/app.js', 2, 7]],
  ['V8, built in', '    at Array.map (<anonymous>)', null],
  ['V8, query', '    at pay (https://a/app.js?v=1:1:20)', ['pay', 'https://a/app.js?v=1', 1, 20]],
  ['SpiderMonkey', 'totalOf@https://shop.example/app.js:1:4711', ['totalOf', 'https://shop.example/app.js', 1, 4711]],
  ['SpiderMonkey, no name', '@https://shop.example/app.js:1:4711', [null, 'https://shop.example/app.js', 1, 4711]],
  ['SpiderMonkey, async', 'async*load@https://a/app.js:3:9', ['load', 'https://a/app.js', 3, 9]],
  ['SpiderMonkey, timer', 'setTimeout handler*load@https://a/app.js:3:9', ['load', 'https://a/app.js', 3, 9]],
  ['SpiderMonkey, promise', 'promise callback*@https://a/app.js:3:9', [null, 'https://a/app.js', 3, 9]],
  ['SpiderMonkey, eval', 'run@https://a/app.js line 3 > eval:1:2', ['run', 'https://a/app.js', 3, 1]],
  [
    'SpiderMonkey, async function',
    'run@https://a/app.js line 3 > AsyncFunction:1:2',
    ['run', 'https://a/app.js', 3, 1],
  ],
  ['SpiderMonkey, timer with text', '@https://a/app.js line 3 > domTimer:1:2', [null, 'https://a/app.js', 3, 1]],
  ['JavaScriptCore, old', 'https://a/x@1.2/app.js:3:25', [null, 'https://a/x@1.2/app.js', 3, 25]],
  ['JavaScriptCore, old, a path', '/app/main.jsbundle:3:25', [null, '/app/main.jsbundle', 3, 25]],
  ['JavaScriptCore', 'global code@http://localhost/app.js:3:25', [null, 'http://localhost/app.js', 3, 25]],
  ['JavaScriptCore, built in', 'map@[native code]', null],
  [
    'Hermes, source',
    '    at pay (http://10.0.2.2:8081/index.bundle:4:31)',
    ['pay', 'http://10.0.2.2:8081/index.bundle', 4, 31],
  ],
  ['Hermes, bytecode', '    at pay (address at index.android.bundle:1:4710)', ['pay', 'index.android.bundle', 1, 4711]],
  ['Hermes, no name', '    at address at /data/app/main.jsbundle:1:0', [null, '/data/app/main.jsbundle', 1, 1]],
  ['V8, wasm', '    at pay (https://a/shop.wasm:wasm-function[3]:0x1f)', ['pay', 'https://a/shop.wasm', 1, 32]],
  ['V8, wasm, no name', '    at https://a/shop.wasm:wasm-function[3]:0x1f', [null, 'https://a/shop.wasm', 1, 32]],
  ['SpiderMonkey, wasm', 'pay@https://a/shop.wasm:wasm-function[3]:0x1f', ['pay', 'https://a/shop.wasm', 1, 32]],
  [
    'V8, wasm from bytes',
    '    at pay (wasm://wasm/shop.wasm-0009f2ea:wasm-function[3]:0x1f)',
    ['pay', 'wasm://wasm/shop.wasm', 1, 32],
  ],
  ['a message', 'RangeError: no price', null],
  ['a message with a place', 'failed in https://a/app.js:1:20', null],
  ['Java', '\tat com.shop.Cart.pay(Cart.java:12)', null],
  ['long', `    at ${'x'.repeat(20_000)} (a.js:1:1)`, null],
];

trace('lines are read as each engine prints them', () => {
  for (const [what, line, wanted] of LINES) {
    const found = scriptFrameOf(line);
    const place = found && [found.function, found.file, found.line, found.column];
    assert.equal(place, wanted, what);
    // Only a program that prints errors adds these ends.
    if (wanted && !/[{,]$/.test(line)) assert.equal(stackLines(line), [line], what);
  }
});

trace('the stack of this engine is read wherever a script lies', () => {
  for (const filename of [
    'C:\\Program Files (x86)\\a b\\app.js',
    '/srv/(shop)/app.js',
    'webpack-internal:///(rsc)/./app/(a)/page.tsx',
  ]) {
    const code = '\n  (function asyncPay() { return new Error().stack; })() + eval("new Error().stack")';
    const lines: string[] = runInThisContext(code, { filename }).split('\n');
    const found = lines.map(scriptFrameOf).filter((frame) => frame?.file === filename);
    assert.equal(
      found.map((frame) => [frame?.function, frame?.line, frame?.column]),
      [
        ['asyncPay', 2, 33],
        [null, 2, 54],
        ['eval', 2, 59],
        [null, 2, 59],
      ],
      filename,
    );
  }
});

trace('hostile lines take hardly longer than others', async () => {
  const usual = await ownMilliseconds(() => {
    for (let at = 0; at < GOES; at++) scriptFrameOf(`    at ${'x'.repeat(16_000)} (a.js:1:1)`);
  });
  for (const line of [
    `at ${'('.repeat(16_000)}`,
    `at ${' ('.repeat(8_000)}`,
    `at ${' (eval at '.repeat(1_600)}`,
    `${'@'.repeat(16_000)}:1`,
    `${'@'.repeat(16_000)} line 1`,
    `${':wasm-function['.repeat(1_000)}1]:0x`,
    `at ${'a:1:1'.repeat(3_000)}`,
    `at x (eval at ${'(a:1:1), '.repeat(1_800)}x`,
    `at x (eval at (a:1:1)${', a)'.repeat(4_000)}x`,
    `at x${' (address at '.repeat(1_200)}x`,
    `at x (address at ${'a:1:1 '.repeat(2_600)}x`,
    `at x${' (a:1:1'.repeat(2_300)}x`,
    `x@${'a:1:1 '.repeat(2_600)}x`,
    `https://${'a:1:1'.repeat(3_000)}`,
    `x@${' line 1 > eval'.repeat(1_100)}`,
  ]) {
    const took = await ownMilliseconds(() => {
      for (let at = 0; at < GOES; at++) scriptFrameOf(line);
    });
    // Quadratic time would take some thousand times as long.
    assert.ok(took < 50 * Math.max(usual, 10), `${line.slice(0, 20)}…: ${took} ms, ${usual} ms for a usual one`);
  }
});

trace.run();
