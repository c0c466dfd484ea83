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
    headers: { 'x-accel-buffering': '`no`: proxies pass events on as they come.' },
  },
};

export const openStream = describe({
  id: 'openStream',
  tag: 'Streams',
  summary: 'Listen for changes of decisions and surveys',
  details: 'An event names a module whose answers may have changed: ask for them again.',
  query: StreamQuery,
  headers: StreamHeaders,
  answers: opened,
  failures: ['too_many_streams'],
});

export const openFlagStream = describe({
  id: 'openFlagStream',
  tag: 'OpenFeature',
  summary: "Listen for changes of flags, in the words of OpenFeature's remote evaluation",
  details: 'The address that `eventStreams` of a bulk evaluation names.',
  query: OfrepStreamQuery,
  headers: StreamHeaders,
  answers: opened,
  failures: ['too_many_streams'],
});

export const openDefinitionStream = describe({
  id: 'openDefinitionStream',
  tag: 'Streams',
  summary: 'Listen for changes of definitions',
  details:
    'For servers that decide themselves: an event `patch` brings what leads from the definitions that the client has to those of now, `put` all of them.',
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
  summary: 'Get a ticket that opens streams',
  answers: {
    200: { description: 'The ticket of this hour, the same for every caller with the key.', schema: TicketAnswer },
  },
});
