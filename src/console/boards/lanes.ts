import type { TicketStatus } from '#documents';

export interface Lane {
  status: TicketStatus;
  name: string;
}

/** The lanes of every board, from left to right. */
export const LANES: readonly Lane[] = [
  { status: 'open', name: 'Open' },
  { status: 'in_progress', name: 'In progress' },
  { status: 'done', name: 'Done' },
];
