import type { TObject } from 'typebox';
import type { DecisionModule } from '../../src/modules/handshake/decision-modules.js';
import { type DescribedAnswer, describe } from '../openapi/description.js';
import { DecisionHeaders, DecisionQuery, HandshakeAnswer, HandshakeQuery, SLICES } from './schemas.js';

const cacheControl = ['private, no-cache'];

/** 200 with the decisions, or 304. */
export const decided = (
  description: string,
  schema: TObject,
  more: Pick<DescribedAnswer, 'headers' | 'optionalHeaders'> = {},
): Record<number, DescribedAnswer> => ({
  200: { description, schema, tagged: true, cacheControl, ...more },
  304: { description: 'The caller has the current answer.', tagged: true, cacheControl, ...more },
});

const streamed = {
  headers: {
    'quarterdeck-stream':
      'Path and query of the stream that reports what changes after this answer; its ticket is good for an hour or two.',
  },
  optionalHeaders: {
    'quarterdeck-timed':
      '1 where rules ask for the time: the answer may change without a report, so poll beside the stream.',
  },
};

export const handshake = describe({
  id: 'handshake',
  tag: 'Decisions',
  summary: 'Get the decisions of all modules at once',
  details: 'A change shows in the next handshake at once or after five seconds at most.',
  query: HandshakeQuery,
  headers: DecisionHeaders,
  answers: decided('What the modules decide for this caller.', HandshakeAnswer, streamed),
  failures: ['quota_exceeded'],
});

export const handshakeByBody = describe({
  id: 'handshakeByBody',
  tag: 'Decisions',
  summary: 'Get the decisions of all modules at once, asked with a context',
  details: 'The same answer and `ETag` as the GET, and nothing personal in the address.',
  headers: DecisionHeaders,
  answers: decided('What the modules decide for this caller.', HandshakeAnswer, streamed),
  failures: ['quota_exceeded', 'invalid_body'],
});

export const decision = (module: DecisionModule) =>
  describe({
    id: `${module}Decision`,
    tag: 'Decisions',
    summary: `Get the decisions of the module ${module}`,
    details: 'The part that the handshake answers for this module; it replaces this endpoint, which stays served.',
    query: DecisionQuery,
    headers: DecisionHeaders,
    answers: decided('What the module decides for this caller.', SLICES[module]),
    failures: ['quota_exceeded'],
  });
