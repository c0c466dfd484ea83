import { ActionIcon, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import {
  BoardTicketsDocument,
  type BoardTicketsQuery,
  CreateTicketDocument,
  DeleteBoardDocument,
  DeleteTicketDocument,
  MoveTicketDocument,
  type TicketStatus,
  UpdateBoardDocument,
} from '#documents';
import { useGoTo, useMay, useParam } from '../app/scope.js';
import { isNotFound } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Failed, Missing, Waiting } from '../parts/states.js';

type Board = NonNullable<BoardTicketsQuery['board']>;
type Ticket = Board['tickets']['nodes'][number];

const LANES: readonly { status: TicketStatus; name: string }[] = [
  { status: 'open', name: 'Open' },
  { status: 'in_progress', name: 'In progress' },
  { status: 'done', name: 'Done' },
];

/** A board: its tickets in lanes, moved by drag or by their arrows. */
export function BoardPage() {
  const { data, error, fetching } = useDocument(BoardTicketsDocument, { id: useParam('boardId') });
  const board = data?.board;
  if (!board && isNotFound(error)) return <Missing what="board" />;
  if (!board && error && !fetching) return <Failed error={error} />;
  if (!board) return <Waiting />;
  return <LoadedBoard board={board} />;
}

function LoadedBoard({ board }: { board: Board }) {
  const goTo = useGoTo();
  const may = useMay('plan_ticket_change');
  const mayBoard = useMay('plan_board_change');
  const [move] = useChange(MoveTicketDocument);
  const [remove] = useChange(DeleteBoardDocument);
  const drop = async () => {
    const { error } = await remove({ id: board.id }, `${board.name} is deleted.`);
    if (!error) goTo('boards');
  };
  const place = (id: string, status: TicketStatus) => void move({ input: { id, status } });
  return (
    <Page
      title={board.name}
      above={{ name: 'Boards', path: 'boards' }}
      actions={
        <Permitted may={mayBoard} variant="light" color="red" onClick={drop}>
          Delete board
        </Permitted>
      }
    >
      <NewTicket boardId={board.id} may={may} />
      <div className="lanes">
        {LANES.map(({ status, name }, at) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way for pointers; the arrows of a ticket are the first
          <div
            key={status}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => place(event.dataTransfer.getData('text/plain'), status)}
          >
            <Panel title={name}>
              {board.tickets.nodes
                .filter((ticket) => ticket.status === status)
                .map((ticket) => (
                  <TicketCard
                    key={ticket.id}
                    ticket={ticket}
                    before={LANES[at - 1]}
                    after={LANES[at + 1]}
                    may={may}
                    onMove={(to) => place(ticket.id, to)}
                  />
                ))}
            </Panel>
          </div>
        ))}
      </div>
      <Panel title="Board">
        <Rename board={board} may={mayBoard} />
      </Panel>
    </Page>
  );
}

type Lane = (typeof LANES)[number];

interface TicketCardProps {
  ticket: Ticket;
  before: Lane | undefined;
  after: Lane | undefined;
  may: boolean;
  onMove: (to: TicketStatus) => void;
}

function TicketCard({ ticket, before, after, may, onMove }: TicketCardProps) {
  const [remove] = useChange(DeleteTicketDocument);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dragging is a second way for pointers; the arrows are the first
    <div className="frame" draggable={may} onDragStart={(event) => event.dataTransfer.setData('text/plain', ticket.id)}>
      <Text size="sm" fw={600}>
        {ticket.title}
      </Text>
      {ticket.description && (
        <Text size="xs" c="dimmed">
          {ticket.description}
        </Text>
      )}
      <Group gap={2}>
        {before && (
          <ActionIcon
            disabled={!may}
            aria-label={`Move ${ticket.title} to ${before.name}`}
            onClick={() => onMove(before.status)}
          >
            ←
          </ActionIcon>
        )}
        {after && (
          <ActionIcon
            disabled={!may}
            aria-label={`Move ${ticket.title} to ${after.name}`}
            onClick={() => onMove(after.status)}
          >
            →
          </ActionIcon>
        )}
        <ActionIcon
          disabled={!may}
          aria-label={`Delete ${ticket.title}`}
          onClick={() => remove({ id: ticket.id }, 'The ticket is deleted.')}
        >
          ×
        </ActionIcon>
      </Group>
    </div>
  );
}

function NewTicket({ boardId, may }: { boardId: string; may: boolean }) {
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
        <Permitted may={may} type="submit" loading={creating}>
          Add ticket
        </Permitted>
      </Group>
    </form>
  );
}

function Rename({ board, may }: { board: Board; may: boolean }) {
  const [name, setName] = useState(board.name);
  const [update, updating] = useChange(UpdateBoardDocument);
  return (
    <Group gap="xs" align="flex-end">
      <TextInput label="Name" value={name} onChange={(e) => setName(e.currentTarget.value)} />
      <Permitted
        may={may}
        variant="default"
        loading={updating}
        onClick={() => update({ input: { id: board.id, name } }, 'Saved.')}
      >
        Rename
      </Permitted>
    </Group>
  );
}
