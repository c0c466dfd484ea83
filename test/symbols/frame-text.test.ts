import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packFrames, unpackFrames } from '../../src/symbols/symbolication/frame-text.js';

const text = suite('text of frames');

text('is packed into its own memory, because threads copy the whole buffer', () => {
  const frames = JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ function: `draw${n}`, line: n })));
  const packed = packFrames(frames);
  assert.ok(packed !== null && packed.length < frames.length / 2);
  assert.is(packed.buffer.byteLength, packed.length);
  assert.is(unpackFrames(packed), frames);
  assert.is(packFrames('[]'), null);
  assert.is(unpackFrames(null), '[]');
});

text.run();
