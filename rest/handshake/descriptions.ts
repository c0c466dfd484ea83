import type { TObject } from 'typebox';
import type { DecisionModule } from '../../src/modules/handshake/decision-modules.js';
import { type DescribedAnswer, describe, notModified } from '../openapi/description.js';
import { DecisionHeaders, DecisionQuery, HandshakeAnswer, HandshakeQuery, SLICES } from './schemas.js';

const cacheControl = ['private, no-cache'];

/** 200 with the decisions, or 304. */
export const decided = (
  description: string,
  schema: TObject,
  more: Pick<DescribedAnswer, 'headers' | 'optionalHeaders'> = {},
): Record<number, DescribedAnswer> => ({
  200: { description, schema, tagged: true, cacheControl, ...more },
  304: notModified({ cacheControl, ...more }),
});

const streamed = {
  headers: {
    'quarterdeck-stream':
      'Path and query of the stream that reports later changes. Its ticket is valid for one to two hours.',
  },
  optionalHeaders: {
    'quarterdeck-timed':
      '1 if rules depend on the time: the decisions may change without a notice, so poll in addition to the stream.',
  },
};

export const handshake = describe({
  id: 'handshake',
  tag: 'Decisions',
  summary: "Get all modules' decisions",
  details: 'A change appears in the next handshake immediately, or within five seconds at most.',
  query: HandshakeQuery,
  headers: DecisionHeaders,
  answers: decided("The modules' decisions for this caller.", HandshakeAnswer, streamed),
  failures: ['quota_exceeded'],
});

export const handshakeByBody = describe({
  id: 'handshakeByBody',
  tag: 'Decisions',
  summary: "Get all modules' decisions, with a context",
  details: 'Returns the same response and `ETag` as the GET, and keeps personal data out of the URL.',
  headers: DecisionHeaders,
  answers: decided("The modules' decisions for this caller.", HandshakeAnswer, streamed),
  failures: ['quota_exceeded', 'invalid_body'],
});

export const decision = (module: DecisionModule) =>
  describe({
    id: `${module}Decision`,
    tag: 'Decisions',
    summary: `Get the decisions of the module ${module}`,
    details:
      "Returns this module's part of the handshake. The handshake replaces this endpoint, which remains available.",
    query: DecisionQuery,
    headers: DecisionHeaders,
    answers: decided("The module's decisions for this caller.", SLICES[module]),
    failures: ['quota_exceeded'],
  });
