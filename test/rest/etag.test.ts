import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matchesEntityTag } from '../../rest/face/etag.js';

const x = suite('If-None-Match');

x('names the current tag', () => {
  for (const header of [
    '"abc"',
    ' "abc" ',
    'W/"abc"',
    '*',
    ' * ',
    '"x", "abc"',
    '"x","abc" , W/"y"',
    'abc',
    'x, abc',
    '"a,b", "abc"',
  ]) {
    assert.is(matchesEntityTag(header, '"abc"'), true, header);
  }
});

x('names another tag, or nothing readable', () => {
  for (const header of [
    undefined,
    null,
    '',
    ' ',
    '"ab"',
    '"ABC"',
    '"abc',
    'abc"',
    '"x" "abc"',
    '"x,abc"',
    '**',
    '"*"',
    ',,',
    'w/"abc"',
  ]) {
    assert.is(matchesEntityTag(header, '"abc"'), false, String(header));
  }
});

x('a very long list is read in a moment', () => {
  const header = `${'"x",'.repeat(4000)}"abc"`;
  const started = performance.now();
  assert.is(matchesEntityTag(header, '"abc"'), true);
  assert.is(matchesEntityTag(' '.repeat(16_000), '"abc"'), false);
  assert.ok(performance.now() - started < 200);
});

x.run();
