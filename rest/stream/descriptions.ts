import { Type } from 'typebox';
import { STREAM_HEADERS } from '../../src/kernel/streams/sse.js';
import { text } from '../field-schemas.js';
import { type DescribedAnswer, describe } from '../openapi/description.js';
import { EventStream, OfrepStreamQuery, StreamHeaders, StreamQuery, TicketAnswer } from './schemas.js';

const opened: Record<number, DescribedAnswer> = {
  200: {
    description: 'The stream, open until either side ends it.',
    schema: EventStream,
    mediaType: 'text/event-stream',
    cacheControl: [STREAM_HEADERS['cache-control'] as string],
    headers: { 'x-accel-buffering': '`no`: proxies pass events on immediately.' },
  },
};

export const openStream = describe({
  id: 'openStream',
  tag: 'Streams',
  summary: 'Listen for changes to decisions and surveys',
  details: 'Each event names a module whose responses may have changed; fetch them again.',
  query: StreamQuery,
  headers: StreamHeaders,
  answers: opened,
  failures: ['too_many_streams'],
});

export const openFlagStream = describe({
  id: 'openFlagStream',
  tag: 'OpenFeature',
  summary: "Listen for flag changes, in the format of OpenFeature's remote evaluation",
  details: 'The URL in `eventStreams` of a bulk evaluation.',
  query: OfrepStreamQuery,
  headers: StreamHeaders,
  answers: opened,
  failures: ['too_many_streams'],
});

export const openDefinitionStream = describe({
  id: 'openDefinitionStream',
  tag: 'Streams',
  summary: 'Listen for changes to definitions',
  details:
    'For servers that make decisions themselves: a `patch` event contains the changes since the definitions that the client has, a `put` event contains all definitions.',
  query: Type.Object({
    last_event_id: Type.Optional(
      text('Zm9yZXhhbXBsZQ', 'The `id` of the last event, or the `ETag` of the definitions that the client has.'),
    ),
  }),
  headers: StreamHeaders,
  answers: opened,
  failures: ['too_many_streams', 'quota_exceeded'],
});

export const createTicket = describe({
  id: 'createStreamTicket',
  tag: 'Streams',
  summary: 'Get a ticket for opening streams',
  answers: {
    200: {
      description: 'The ticket of the current hour, the same for every caller with the key.',
      schema: TicketAnswer,
    },
  },
});
