import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { likeness, scriptName, scriptPath } from '../../src/symbols/source-map/script-path.js';
import { ownMilliseconds } from '../support/processor-time.js';

const paths = suite('paths of scripts');

paths('are equal, however they are written', () => {
  for (const file of [
    '/static/c/index.js',
    'static/c/index.js',
    '~/static/c/index.js',
    './static/./c/../c/index.js',
    'app:///static/c/index.js',
    'webpack:///./static/c/index.js',
    'file:///C:/static/c/index.js',
    'C:\\static\\c\\index.js',
    '/Static/C/Index.js?v=3',
    '/static/c/index.js#L7',
    '/static/%63/index%2Ejs',
  ]) {
    assert.equal(scriptPath(file), { host: null, segments: ['static', 'c', 'index.js'] }, file);
  }
  assert.equal(scriptPath('https://cdn.example.com:8443/a.js?next=/b.js#/c.js'), {
    host: 'cdn.example.com:8443',
    segments: ['a.js'],
  });
  assert.equal(scriptPath('//cdn.example.com/a.js').host, 'cdn.example.com');
  assert.is(scriptName('/home/c#/app.js'), 'app.js');
  assert.is(scriptName('/100%/app.js'), 'app.js');
  assert.is(scriptName('https://example.com/'), '');
  assert.is(scriptName('/a/%00.js'), '\uFFFD.js');
});

paths('take linear time, whatever they contain', async () => {
  const marks = '?'.repeat(200_000);
  // In quadratic time, they would take more than ten seconds.
  const spent = await ownMilliseconds(() => {
    assert.equal(scriptPath(`https://example.com/a.js${marks}\n`).segments, ['a.js']);
    assert.is(scriptName(`/c${marks}/a.js`), 'a.js');
  }, 1);
  assert.ok(spent < 2_000, `${spent} ms`);
});

/** For each script, the keys of maps from the best match to those that do not match, in groups of equals. */
const ORDERS: [script: string, ...keys: string[][]][] = [
  [
    'https://cdn.example.com/static/c/index.js?v=3',
    ['https://cdn.example.com/static/c/index.js'],
    ['/static/c/index.js', '~/static/c/index.js', 'static\\c\\index.js'],
    ['https://elsewhere.example.com/static/c/index.js'],
    ['dist/static/c/index.js'],
    ['c/index.js'],
    ['dist/c/index.js'],
    ['index.js'],
  ],
  ['index.android.bundle', ['index.android.bundle'], ['dist/index.android.bundle']],
];

paths('an exact path wins over a longer common suffix, which wins over a bare file name', () => {
  for (const [script, ...groups] of ORDERS) {
    const scores = groups.map((keys) => keys.map((key) => likeness(scriptPath(key), scriptPath(script))));
    for (const same of scores) assert.is(new Set(same).size, 1, script);
    const order = scores.map(([score = 0]) => score);
    assert.equal(
      order,
      order.toSorted((a, b) => b - a),
    );
    assert.is(new Set(order).size, order.length, String(order));
    assert.ok(order.every((score) => score > 0));
  }
});

paths('scripts in different folders differ, even if their file names match', () => {
  for (const key of [
    '/static/d/index.js',
    'd/index.js',
    '/static/c/other.js',
    '3f6ad4f2c1b84ed2a3f1f1b0cc3b3b60',
    '',
    '/',
  ]) {
    assert.is(likeness(scriptPath(key), scriptPath('/static/c/index.js')), 0, key);
  }
});

paths.run();
