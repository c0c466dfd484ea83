import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { framesOf } from '../../src/sdk/core/stack-frames.js';

const frames = suite('libraries: frames of a stack');

const CASES: readonly [line: string, called: string | null, file: string][] = [
  ['    at pay (file:///app.js:1:2)', 'pay', 'file:///app.js'],
  ['    at new Cart (C:\\shop (old)\\app.js:1:2)', 'new Cart', 'C:\\shop (old)\\app.js'],
  ['    at async pay (file:///app.js:1:2)', 'pay', 'file:///app.js'],
  ['    at async file:///app.js:1:2', null, 'file:///app.js'],
  ['    at file:///app.js:1:2', null, 'file:///app.js'],
  ['pay@https://shop.example/app.js:1:2', 'pay', 'https://shop.example/app.js'],
  ['@https://shop.example/app.js:1:2', null, 'https://shop.example/app.js'],
];

frames('the name and the file are told apart', () => {
  for (const [line, called, file] of CASES)
    assert.equal(framesOf(`Error: of a (b:1:2)\n${line}\n`), [{ function: called, file, line: 1, column: 2 }], line);
});

frames('a long line takes no more time than its length asks for', () => {
  const long = 'x ('.repeat(300_000);
  assert.is(framesOf(`    at ${long}:1:2)\n    at ${long}:1:2\n    at ${long}`).length, 2);
});

frames.run();
