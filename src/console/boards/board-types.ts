import type { BoardQuery, LaneTicketsQuery } from '#documents';

export type Board = NonNullable<BoardQuery['board']>;
export type Ticket = NonNullable<LaneTicketsQuery['board']>['tickets']['nodes'][number];
