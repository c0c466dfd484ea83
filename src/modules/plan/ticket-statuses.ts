/** Statuses of tickets and where each may move (docs/rest.md, Surveys): forward and back, one step at a time. */
export const TICKET_MOVES = {
  open: ['in_progress'],
  in_progress: ['open', 'done'],
  done: ['in_progress'],
} as const;

export type TicketStatus = keyof typeof TICKET_MOVES;

export const TICKET_STATUSES = Object.keys(TICKET_MOVES) as TicketStatus[];

/** Whether a ticket may move directly from one status to another. */
export function mayMove(from: TicketStatus, to: TicketStatus): boolean {
  return (TICKET_MOVES[from] as readonly TicketStatus[]).includes(to);
}
