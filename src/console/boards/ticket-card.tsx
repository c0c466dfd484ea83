import './boards.css';
import { ActionIcon, Group, UnstyledButton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { isolated } from '../data/notify.js';
import { ChoosingBox } from '../parts/rows/choosing.js';
import type { Chosen } from '../parts/rows/use-chosen.js';
import { Muted } from '../parts/text.js';
import type { Ticket } from './board-types.js';
import type { Lane } from './lanes.js';

interface TicketCardProps {
  ticket: Ticket;
  before: Lane | undefined;
  after: Lane | undefined;
  may: boolean;
  /** Tickets in the lane that move together. */
  chosen: Chosen;
  /** It just arrived by keyboard and takes the focus. */
  takesFocus: boolean;
  onMove: (to: Lane) => void;
  onOpen: () => void;
  onDrag: () => void;
}

/** A ticket in its lane. Arrow keys on its title move it; Enter opens it. */
export function TicketCard(props: TicketCardProps) {
  const { ticket, before, after, may, chosen, takesFocus, onMove, onOpen, onDrag } = props;
  const title = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const press = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowRight' ? after : event.key === 'ArrowLeft' ? before : undefined;
    if (!to || !may) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is the pointer alternative to keys and arrows
    <div
      className="ticket"
      draggable={may}
      onDragStart={(event) => {
        // Firefox needs data to start a drag.
        event.dataTransfer.setData('text/plain', ticket.title);
        onDrag();
      }}
    >
      <UnstyledButton
        ref={title}
        className="ticket-title"
        aria-description={may ? 'Move with the arrow keys' : undefined}
        onClick={onOpen}
        onKeyDown={press}
      >
        {ticket.title}
      </UnstyledButton>
      {ticket.description && (
        <Muted size="xs" lineClamp={3}>
          {ticket.description}
        </Muted>
      )}
      <Group gap={2} justify="space-between">
        <Group gap="xs">
          {may && <ChoosingBox chosen={chosen} id={ticket.id} name={isolated(ticket.title)} />}
          <Muted size="xs">{ticket.responseId ? 'from a survey' : ''}</Muted>
        </Group>
        <Group gap={2}>
          {[before, after].map(
            (lane, at) =>
              lane &&
              may && (
                <ActionIcon
                  key={lane.status}
                  aria-label={`Move ${isolated(ticket.title)} to ${isolated(lane.name)}`}
                  onClick={() => onMove(lane)}
                >
                  {at === 0 ? '←' : '→'}
                </ActionIcon>
              ),
          )}
        </Group>
      </Group>
    </div>
  );
}
