import { Button, Group, Text, TextInput } from '@mantine/core';
import { type DragEvent, type FormEvent, type ReactNode, useState } from 'react';
import {
  BoardTicketsDocument,
  CreateTicketDocument,
  DeleteBoardDocument,
  MoveTicketDocument,
  UpdateBoardDocument,
} from '#documents';
import { isNotFound } from '../data/failures.js';
import { useIsHere, useMay, useParam } from '../data/scope.js';
import { isolated } from '../data/tell.js';
import { useDeletion } from '../data/use-deletion.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Page, Panel } from '../parts/page.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';
import type { Board, Ticket } from './board-types.js';
import { LANES, type Lane } from './lanes.js';
import { TicketCard } from './ticket-card.js';
import { TicketForm } from './ticket-form.js';
import { TriageRules } from './triage-rules.js';

/** A board: its tickets in lanes, moved by drag or by the arrow keys. */
export function BoardPage() {
  const { data, error, fetching } = useDocument(BoardTicketsDocument, { id: useParam('boardId') });
  const board = data?.board;
  const isHere = useIsHere(board);
  if (board ? !isHere : isNotFound(error)) return <Missing what="board" />;
  if (!board && error && !fetching) return <Failed error={error} />;
  if (!board) return <Waiting />;
  return <LoadedBoard board={board} />;
}

function LoadedBoard({ board }: { board: Board }) {
  const may = useMay('plan_ticket_change');
  const mayBoard = board.viewerCan.includes('plan_board_change');
  const [move] = useChange(MoveTicketDocument);
  const remove = useDeletion(DeleteBoardDocument, 'boards');
  const [opened, setOpened] = useState<string | null>(null);
  const [moved, setMoved] = useState<{ id: string; title: string; to: Lane } | null>(null);
  const { nodes: tickets, totalCount } = board.tickets;
  const ticket = tickets.find(({ id }) => id === opened);
  const place = async ({ id, title, status }: Ticket, to: Lane) => {
    if (status === to.status) return;
    const { error } = await move(
      { input: { id, status: to.status } },
      `${isolated(title)} is in ${isolated(to.name)}.`,
      () => move({ input: { id, status } }),
    );
    if (!error) setMoved({ id, title, to });
  };
  return (
    <Page
      title={board.name}
      above={{ name: 'Boards', path: 'boards' }}
      actions={
        <Confirmed
          may={mayBoard}
          variant="light"
          color="red"
          action="Delete"
          what={isolated(board.name)}
          goesAlong={[`Its ${totalCount} tickets and its triage rules go with it, for good.`]}
          run={() => remove({ id: board.id }, `${isolated(board.name)} is deleted.`)}
        />
      }
    >
      <WhoMay may={may} weakest="editor" to="add and move tickets">
        <NewTicket boardId={board.id} />
      </WhoMay>
      <Text size="xs" c="dimmed" mb="xs">
        {may ? 'Drag a ticket, or focus its title and press → or ←.' : ''}
        {totalCount > tickets.length ? ` The newest ${tickets.length} of ${totalCount} are shown.` : ''}
      </Text>
      <div role="status" className="skip">
        {moved ? `${isolated(moved.title)} is in ${isolated(moved.to.name)}.` : ''}
      </div>
      <div className="lanes">
        {LANES.map((lane, at) => (
          <LaneColumn
            key={lane.status}
            lane={lane}
            count={tickets.filter(({ status }) => status === lane.status).length}
            onDrop={(id) => {
              const dropped = tickets.find((one) => one.id === id);
              if (dropped) void place(dropped, lane);
            }}
          >
            {tickets
              .filter(({ status }) => status === lane.status)
              .map((one) => (
                <TicketCard
                  key={one.id}
                  ticket={one}
                  before={LANES[at - 1]}
                  after={LANES[at + 1]}
                  may={may}
                  takesFocus={moved?.id === one.id}
                  onMove={(to) => void place(one, to)}
                  onOpen={() => setOpened(one.id)}
                />
              ))}
          </LaneColumn>
        ))}
      </div>
      <TriageRules board={board} may={mayBoard} />
      <Panel title="Board">
        <WhoMay may={mayBoard} weakest="editor" to="rename the board">
          <Rename board={board} />
        </WhoMay>
      </Panel>
      {ticket && <TicketForm key={ticket.id} ticket={ticket} onClose={() => setOpened(null)} />}
    </Page>
  );
}

interface LaneColumnProps {
  lane: Lane;
  count: number;
  onDrop: (ticketId: string) => void;
  children: ReactNode;
}

function LaneColumn({ lane, count, onDrop, children }: LaneColumnProps) {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    onDrop(event.dataTransfer.getData('text/plain'));
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way for pointers; the keys of a ticket are the first
    <div
      className={isOver ? 'lane-over' : undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Panel title={lane.name} aside={<span className="soft">{count}</span>}>
        {count === 0 && (
          <Text size="xs" c="dimmed">
            None
          </Text>
        )}
        {children}
      </Panel>
    </div>
  );
}

function NewTicket({ boardId }: { boardId: string }) {
  const [title, setTitle] = useState('');
  const [create, creating] = useChange(CreateTicketDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await create({ input: { boardId, title } });
    if (!error) setTitle('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mb="sm">
        <TextInput
          aria-label="New ticket"
          placeholder="What is to be done"
          required
          value={title}
          onChange={(e) => setTitle(e.currentTarget.value)}
          flex={1}
          maw={420}
        />
        <Button type="submit" loading={creating} renderRoot={keepsFocus}>
          Add ticket
        </Button>
      </Group>
    </form>
  );
}

function Rename({ board }: { board: Board }) {
  const [name, setName] = useState(board.name);
  const [update, updating] = useChange(UpdateBoardDocument);
  return (
    <Group gap="xs" align="flex-end">
      <TextInput label="Name" value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Button
        variant="default"
        loading={updating}
        renderRoot={keepsFocus}
        onClick={() => update({ input: { id: board.id, name } }, 'Saved.')}
      >
        Rename
      </Button>
    </Group>
  );
}
