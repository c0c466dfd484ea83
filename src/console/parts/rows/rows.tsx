import { useRouter } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type MouseEvent, memo, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { Pages, WithId } from '../../data/use-pages.js';
import { counted } from '../short-numbers.js';
import { Failed, PartFailed, WaitingRows } from '../states.js';
import { Muted } from '../text.js';
import { useWayBack } from './use-way-back.js';

export interface Column<Row> {
  name: string;
  /** A CSS grid track, such as `minmax(0, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Its track on narrow screens, if different. */
  narrow?: string;
  /** Hidden on narrow screens. */
  wideOnly?: boolean;
  /** Right-aligned digits. */
  isNumber?: boolean;
  /** The field that clicking the heading sorts by. */
  field?: string;
}

interface RowsProps<Row> {
  /** The table's name for screen readers. */
  label: string;
  pages: Pages<Row>;
  columns: readonly Column<Row>[];
  /** Where a row leads; the first column holds the link. */
  to?: (row: Row) => string;
  /** Shown when there are no rows. */
  empty: ReactNode;
  order?: { field: string; isDescending: boolean };
  onOrder?: (field: string) => void;
}

/** Must match `.rows-row`, also on a touch screen. */
const ROW_HEIGHT = window.matchMedia('(pointer: coarse)').matches ? 48 : 40;
/** Rows are rendered in blocks of this many, so most scroll frames render nothing and lay out nothing else. */
const BLOCK_ROWS = 5;
const BLOCKS_BEYOND = 2;
const MORE_BEFORE_END = 30;

/** A table of any length. It renders only visible rows and loads the next page before the last row is reached. */
export function Rows<Row extends WithId>({ label, pages, columns, to, empty, order, onOrder }: RowsProps<Row>) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const { rows, totalCount, isEstimate, hasMore, isBusy, isKnown, error, restError } = pages;
  useWayBack(pages, frame, label);
  if (error && !isKnown) return <Failed error={error} />;
  if (!isKnown) return <WaitingRows isTable />;
  if (rows.length === 0) return <div className="rows">{empty}</div>;
  const tracks = {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--tracks-narrow': columns
      .filter(({ wideOnly }) => !wideOnly)
      .map(({ width, narrow }) => narrow ?? width)
      .join(' '),
  } as CSSProperties;
  const count = totalCount ?? rows.length;
  return (
    <>
      <div
        ref={setFrame}
        className="rows rows-tall"
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={isBusy}
        style={tracks}
        tabIndex={0}
        data-scroll-restoration-id={label}
      >
        <div role="rowgroup" className="rows-top">
          <div role="row" className="rows-head" aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onOrder={onOrder} />
            ))}
          </div>
        </div>
        <DrawnBlocks frame={frame} pages={pages} columns={columns} to={to} />
      </div>
      <Muted size="xs" py={6}>
        {isEstimate ? 'more than ' : ''}
        {counted(count, 'row')}
      </Muted>
      {restError && <PartFailed what="The remaining rows" error={restError} again={pages.loadMore} />}
    </>
  );
}

/** The part that follows scrolling, kept apart from the rest of the table. */
function DrawnBlocks<Row extends WithId>({
  frame,
  pages: { rows, hasMore, loadMore },
  columns,
  to,
}: Pick<RowsProps<Row>, 'pages' | 'columns' | 'to'> & { frame: HTMLDivElement | null }) {
  const virtualizer = useVirtualizer({
    count: Math.ceil(rows.length / BLOCK_ROWS),
    getScrollElement: () => frame,
    estimateSize: () => BLOCK_ROWS * ROW_HEIGHT,
    overscan: BLOCKS_BEYOND,
    // Enough rows are rendered beyond the edge that a frame needn't wait for the next ones.
    useFlushSync: false,
  });
  const blocks = virtualizer.getVirtualItems();
  const last = ((blocks.at(-1)?.index ?? 0) + 1) * BLOCK_ROWS;
  useEffect(() => {
    if (hasMore && last >= rows.length - MORE_BEFORE_END) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  const links = useRowLinks();
  return (
    <div role="rowgroup" className="rows-body" style={{ height: rows.length * ROW_HEIGHT }}>
      {blocks.map(({ index, start }) => (
        <div key={index} role="presentation" className="rows-block" style={{ top: start }}>
          {rows.slice(index * BLOCK_ROWS, (index + 1) * BLOCK_ROWS).map((row, at) => (
            <DrawnRow key={row.id} row={row} index={index * BLOCK_ROWS + at} columns={columns} to={to} links={links} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface DrawnRowProps<Row> {
  row: Row;
  index: number;
  columns: readonly Column<Row>[];
  to: RowsProps<Row>['to'];
  links: RowLinks;
}

const classOf = ({ wideOnly, isNumber }: Pick<Column<never>, 'wideOnly' | 'isNumber'>): string | undefined =>
  [wideOnly && 'wide-only', isNumber && 'rows-number'].filter(Boolean).join(' ') || undefined;

interface RowLinks {
  follow: (event: MouseEvent<HTMLAnchorElement>) => void;
  warm: (event: MouseEvent<HTMLAnchorElement>) => void;
}

/** One handler for the links of all rows: a router link in each would be most of a row's cost. */
function useRowLinks(): RowLinks {
  const router = useRouter();
  return useMemo(() => {
    let isWarm = false;
    return {
      follow: (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ to: event.currentTarget.pathname });
      },
      /** All rows lead to the same kind of page, so its script is requested once. */
      warm: ({ currentTarget }) => {
        if (isWarm) return;
        isWarm = true;
        void router.preloadRoute({ to: currentTarget.pathname });
      },
    };
  }, [router]);
}

function DrawRow<Row>({ row, index, columns, to, links }: DrawnRowProps<Row>) {
  return (
    <div role="row" className="rows-row" aria-rowindex={index + 2}>
      {columns.map((column, at) => (
        <div role="cell" key={column.name} className={classOf(column)}>
          {at === 0 && to ? (
            <a href={to(row)} className="rows-link" onClick={links.follow} onPointerEnter={links.warm}>
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

/** Rendered once while visible, so a scroll frame renders only the rows that come into view. */
const DrawnRow = memo(DrawRow) as typeof DrawRow;

function Heading<Row>({
  column,
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: RowsProps<Row>['order'];
  onOrder: RowsProps<Row>['onOrder'];
}) {
  const { name, field } = column;
  const isOrder = field !== undefined && field === order?.field;
  const direction = isOrder ? (order?.isDescending ? 'descending' : 'ascending') : undefined;
  return (
    <div role="columnheader" aria-sort={direction} className={classOf(column)}>
      {field && onOrder ? (
        <button type="button" onClick={() => onOrder(field)}>
          {name} {direction === 'descending' ? '↓' : direction ? '↑' : ''}
        </button>
      ) : (
        name
      )}
    </div>
  );
}
