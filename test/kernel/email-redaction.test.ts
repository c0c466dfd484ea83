import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasEmailIn, redactEmails, redactEmailsIn } from '../../src/kernel/values/email-redaction.js';

const redaction = suite('redaction of e-mail addresses');

redaction('finds every form of an address and leaves the text around it', () => {
  for (const [text, shown] of [
    ['ünï@exämple.de und b@c', '[redacted] und [redacted]'],
    ['mailto:ada@example.com, please', 'mailto:[redacted], please'],
    ['https://example.com/?email=ada%40example.com&page=2', 'https://example.com/?email=[redacted]&page=2'],
    ['ada.l+x%y_z@mail.example.co.uk.', '[redacted]'],
    ['ada@[192.0.2.1]', '[redacted]'],
    ['{"ada@example.com":[ada@example.com]}', '{"[redacted]":[[redacted]]}'],
    ['/Users/ada@example.com/app.js', '/Users/[redacted]/app.js'],
    ['at 5 @ home', 'at 5 @ home'],
    ['node_modules/@babel/core/index.js', 'node_modules/@babel/core/index.js'],
    ['render@https://example.com/app.js:1:2', 'render@https://example.com/app.js:1:2'],
  ] as const) {
    assert.is(redactEmails(text), shown);
    assert.is(hasEmailIn(text), text !== shown, text);
  }
});

redaction('covers the keys and values of JSON and leaves everything else', () => {
  assert.equal(redactEmailsIn([1, null, true, 'x']), [1, null, true, 'x']);
  const shown = redactEmailsIn({ 'a@b.c': [{ x: '<a@b.c>' }] }) as object;
  assert.is(JSON.stringify(shown), '{"[redacted]":[{"x":"<[redacted]>"}]}');
});

redaction('takes linear time for any text', () => {
  const pieces = ['a', '@', 'a@', '%40', 'a%40', 'a ', 'a@[', '@a://', '%40a://'];
  // In quadratic time, each of these would take an hour.
  for (const piece of pieces) assert.ok(redactEmails(`${piece.repeat(1_000_000)} @`).length > 0);
});

redaction.run();
