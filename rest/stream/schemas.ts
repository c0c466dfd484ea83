import { Type } from 'typebox';
import { STREAM_MODULES } from '../../src/modules/handshake/streams/versions.js';
import { instant, text } from '../field-schemas.js';

const TICKET = '019a9c6e2f6b7d1e9a535c2f4c1b8a10.t5k2g0.Zm9yZXhhbXBsZW9ubHk0NDQ0';
const POSITION = 'q1w2e3r4t5.a1s2d3f4g5.z1x2c3v4b5.y1u2i3o4p5.h1j2k3l4m5.42';

export const StreamQuery = Type.Object({
  ticket: Type.Optional(text(TICKET, 'Instead of the header `x-api-key`.')),
  modules: Type.Optional(
    text('switch,config', `Comma-separated modules to listen for, of ${STREAM_MODULES.join(', ')}; defaults to all.`),
  ),
  last_event_id: Type.Optional(
    text(POSITION, 'Where to resume if you cannot send the header `Last-Event-ID`, which takes precedence.'),
  ),
});

export const OfrepStreamQuery = Type.Object({
  ticket: StreamQuery.properties.ticket,
  last_event_id: StreamQuery.properties.last_event_id,
});

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(text(POSITION, 'The `id` of the last event received.')),
});

export const EventStream = Type.String({
  description: 'Server-sent events; see docs/rest.md, Streams.',
});

export const TicketAnswer = Type.Object(
  {
    ticket: text(TICKET),
    expires_at: instant('No new streams can be opened with the ticket after this; open ones stay open.'),
    url: text(
      `/api/v1/stream?ticket=${TICKET}`,
      'The stream with the ticket, relative to the origin of this response.',
    ),
  },
  { $id: 'StreamTicket' },
);
