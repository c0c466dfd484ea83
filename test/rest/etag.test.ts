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
    ', ,"x", , "abc"',
    '"abc-gzip"',
    'W/"abc--gzip"',
    '"x", "abc;gzip"',
    '"abc-br"',
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
    '"abcd"',
    '"abc-d"',
    '"abc-gzip-"',
    '"abc-gzipped"',
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

x('a list is read in linear time: in any other, these would take hours', () => {
  const header = `${'"x",'.repeat(2_000_000)}"abc"`;
  assert.is(matchesEntityTag(header, '"abc"'), true);
  assert.is(matchesEntityTag(' '.repeat(8_000_000), '"abc"'), false);
});

x.run();
