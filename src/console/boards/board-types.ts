import type { BoardTicketsQuery } from '#documents';

export type Board = NonNullable<BoardTicketsQuery['board']>;
export type Ticket = Board['tickets']['nodes'][number];
