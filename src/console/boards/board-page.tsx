import { Box, Button, Group, TextInput } from '@mantine/core';
import { type DragEvent, type FormEvent, useState } from 'react';
import {
  BoardDocument,
  CreateTicketDocument,
  DeleteBoardDocument,
  LaneTicketsDocument,
  MoveTicketsDocument,
  UpdateBoardDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useIsHere, useMay, useParam } from '../data/scope.js';
import { useDeletion } from '../data/use-deletion.js';
import { useChange, useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Confirmed } from '../parts/confirmed.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { SearchField } from '../parts/rows/search-field.js';
import { useChosen } from '../parts/rows/use-chosen.js';
import { counted } from '../parts/short-numbers.js';
import { Absent, Missing, WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';
import type { Board, Ticket } from './board-types.js';
import { LANES, type Lane } from './lanes.js';
import { TicketCard } from './ticket-card.js';
import { TicketForm } from './ticket-form.js';
import { TriageRules } from './triage-rules.js';

/** A board with its tickets in lanes. Tickets move by drag or arrow keys, several from one lane at once. */
export function BoardPage() {
  const { data, error, fetching } = useDocument(BoardDocument, { id: useParam('boardId') });
  const board = data?.board;
  const isHere = useIsHere(board);
  if (board && !isHere) return <Missing what="board" />;
  if (!board) return <Absent what="board" error={error} isAsked={fetching} />;
  return <LoadedBoard board={board} />;
}

/** The tickets that moved last, with the times. The first one takes focus where it lands. */
interface Moved {
  first: string;
  times: ReadonlyMap<string, string>;
  words: string;
}

const movedWords = (tickets: readonly Ticket[], to: Lane): string =>
  tickets.length === 1 && tickets[0]
    ? `${isolated(tickets[0].title)} moved to ${isolated(to.name)}.`
    : `${counted(tickets.length, 'ticket')} moved to ${isolated(to.name)}.`;

function LoadedBoard({ board }: { board: Board }) {
  const may = useMay('plan_ticket_change');
  const mayBoard = board.viewerCan.includes('plan_board_change');
  const [move] = useChange(MoveTicketsDocument);
  const remove = useDeletion(DeleteBoardDocument, 'boards');
  const [opened, setOpened] = useState<Ticket | null>(null);
  const [dragged, setDragged] = useState<Ticket | null>(null);
  const [moved, setMoved] = useState<Moved | null>(null);
  const put = async (tickets: readonly Ticket[], to: Lane, undo?: () => unknown) => {
    const input = { ids: tickets.map(({ id }) => id), status: to.status };
    const { data } = await move({ input }, undo && movedWords(tickets, to), undo);
    const times = new Map(
      data?.transitionTickets?.flatMap(({ object }) => (object ? [[object.id, object.updatedAt] as const] : [])),
    );
    const there = tickets.filter(({ id }) => times.has(id));
    if (there[0]) setMoved({ first: there[0].id, times, words: movedWords(there, to) });
  };
  const place = (tickets: readonly Ticket[], to: Lane) => {
    const from = LANES.find(({ status }) => status === tickets[0]?.status);
    if (from && from !== to) void put(tickets, to, () => put(tickets, from));
  };
  return (
    <Page
      title={board.name}
      above={{ name: 'Boards', path: 'boards' }}
      audited={{ objectType: 'board', objectId: board.id }}
      actions={
        <Confirmed
          may={mayBoard}
          variant="light"
          color="red"
          action="Delete"
          what={isolated(board.name)}
          goesAlong={[`This permanently deletes its ${board.tickets.totalCount} tickets and its triage rules.`]}
          run={() => remove({ id: board.id }, `${isolated(board.name)} deleted.`)}
        />
      }
    >
      <WhoMay may={may} weakest="editor" to="add and move tickets">
        <NewTicket boardId={board.id} />
      </WhoMay>
      {may && (
        <Muted size="xs" mb="xs">
          Drag a ticket, use its arrows, or focus its title and press → or ←. Selected tickets move together.
        </Muted>
      )}
      <Box mb="sm">
        <SearchField label="Search tickets" placeholder="Title or description" />
      </Box>
      <div role="status" className="skip">
        {moved?.words}
      </div>
      <div className="lanes">
        {LANES.map((lane, at) => (
          <LaneColumn
            key={lane.status}
            boardId={board.id}
            lane={lane}
            before={LANES[at - 1]}
            after={LANES[at + 1]}
            may={may}
            moved={moved}
            onMove={place}
            onOpen={setOpened}
            onDrag={setDragged}
            onDrop={() => dragged && place([dragged], lane)}
          />
        ))}
      </div>
      <TriageRules boardId={board.id} may={mayBoard} />
      <Panel title="Board">
        <WhoMay may={mayBoard} weakest="editor" to="rename the board">
          <Rename board={board} />
        </WhoMay>
      </Panel>
      {opened && <TicketForm ticket={opened} onClose={() => setOpened(null)} />}
    </Page>
  );
}

interface LaneColumnProps {
  boardId: string;
  lane: Lane;
  before: Lane | undefined;
  after: Lane | undefined;
  may: boolean;
  moved: Moved | null;
  onMove: (tickets: readonly Ticket[], to: Lane) => void;
  onOpen: (ticket: Ticket) => void;
  onDrag: (ticket: Ticket) => void;
  onDrop: () => void;
}

function LaneColumn(props: LaneColumnProps) {
  const { boardId, lane, moved, onMove, onOpen, onDrag, onDrop, ...rest } = props;
  const [isOver, setOver] = useState(false);
  const [{ q: search = null }] = useSearchState();
  const variables = { id: boardId, status: lane.status, search };
  const pages = usePages(LaneTicketsDocument, variables, (data) => data.board?.tickets);
  // The lanes answer one by one, so without this the ticket would briefly appear in both.
  const rows = pages.rows.filter(({ id, updatedAt }) => updatedAt >= (moved?.times.get(id) ?? ''));
  const chosen = useChosen(variables, rows);
  const over = (event: DragEvent) => {
    event.preventDefault();
    setOver(true);
  };
  const drop = () => {
    setOver(false);
    onDrop();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the pointer alternative to a ticket's keys
    <div
      className={isOver ? 'lane-over' : undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Panel title={lane.name} aside={<span className="soft">{pages.totalCount?.toLocaleString('en')}</span>}>
        {!pages.isKnown && <WaitingRows rows={2} error={pages.error} />}
        {pages.isKnown && rows.length === 0 && <Muted size="xs">{search === null ? 'None' : 'No matches'}</Muted>}
        {rows.map((ticket) => (
          <TicketCard
            key={ticket.id}
            ticket={ticket}
            {...rest}
            chosen={chosen}
            takesFocus={moved?.first === ticket.id}
            onMove={(to) => onMove([ticket], to)}
            onOpen={() => onOpen(ticket)}
            onDrag={() => onDrag(ticket)}
          />
        ))}
        <More pages={pages}>Load more tickets</More>
        {chosen.ids.length > 0 && (
          <Group gap={6} className="lane-moves">
            {[rest.before, rest.after].map(
              (to) =>
                to && (
                  <Button
                    key={to.status}
                    variant="default"
                    size="compact-xs"
                    onClick={() =>
                      onMove(
                        rows.filter(({ id }) => chosen.ids.includes(id)),
                        to,
                      )
                    }
                  >
                    Move {chosen.ids.length} to {to.name}
                  </Button>
                ),
            )}
          </Group>
        )}
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
    if (!error) setTitle((now) => (now === title ? '' : now));
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" mb="sm">
        <TextInput
          aria-label="New ticket"
          placeholder="What needs doing"
          required
          {...typing(title, setTitle)}
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
  /** Null unless it differs from what is stored, which others may change meanwhile. */
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === board.name) setTyped(null);
  const name = typed ?? board.name;
  const [update, updating] = useChange(UpdateBoardDocument);
  return (
    <Group gap="xs" align="flex-end">
      <TextInput label="Name" {...typing(name, setTyped)} />
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
