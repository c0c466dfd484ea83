import { Type } from 'typebox';
import { STREAM_MODULES } from '../../src/modules/handshake/streams/versions.js';
import { instant, text } from '../field-schemas.js';

const TICKET = '019a9c6e2f6b7d1e9a535c2f4c1b8a10.t5k2g0.Zm9yZXhhbXBsZW9ubHk0NDQ0';
const POSITION = 'q1w2e3r4t5.a1s2d3f4g5.z1x2c3v4b5.y1u2i3o4p5.h1j2k3l4m5.42';

export const StreamQuery = Type.Object({
  ticket: Type.Optional(text(TICKET, 'Instead of the header `x-api-key`.')),
  modules: Type.Optional(
    text('switch,config', `Comma-separated modules to listen for, of ${STREAM_MODULES.join(', ')}; all unless given.`),
  ),
  last_event_id: Type.Optional(
    text(POSITION, 'Where to begin when the header `Last-Event-ID` cannot be sent; the header counts before it.'),
  ),
});

export const OfrepStreamQuery = Type.Object({
  ticket: StreamQuery.properties.ticket,
  last_event_id: StreamQuery.properties.last_event_id,
});

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(text(POSITION, 'The `id` of the last event that was received.')),
});

export const EventStream = Type.String({
  description: 'Events of the format of server-sent events; docs/rest.md, Streams, says which.',
});

export const TicketAnswer = Type.Object(
  {
    ticket: text(TICKET),
    expires_at: instant('Streams that are open stay open; none is opened with it from then on.'),
    url: text(`/api/v1/stream?ticket=${TICKET}`, 'The stream with the ticket, below the origin of this answer.'),
  },
  { $id: 'StreamTicket' },
);
