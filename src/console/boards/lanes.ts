import type { TicketStatus } from '#documents';

export interface Lane {
  status: TicketStatus;
  name: string;
}

/** Every board's lanes, left to right. */
export const LANES: readonly Lane[] = [
  { status: 'open', name: 'Open' },
  { status: 'in_progress', name: 'In progress' },
  { status: 'done', name: 'Done' },
];
