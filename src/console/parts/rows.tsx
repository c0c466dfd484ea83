import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect, useRef } from 'react';
import type { Pages } from '../data/use-pages.js';
import { Failed, WaitingRows } from './states.js';

export interface Column<Row> {
  name: string;
  /** A track of a CSS grid, as `minmax(0, 2fr)`. */
  width: string;
  cell: (row: Row) => ReactNode;
  /** Left out on narrow screens. */
  wideOnly?: boolean;
  /** The field that a press on the heading orders by. */
  field?: string;
}

interface RowsProps<Row> {
  /** What the rows are, for those who do not see them. */
  label: string;
  pages: Pages<Row>;
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string;
  /** Where a press on a row leads; the first column bears the link. */
  to?: (row: Row) => string;
  /** Instead of rows, when there are none. */
  empty: ReactNode;
  order?: { field: string; isDescending: boolean };
  onOrder?: (field: string) => void;
}

const ROW_HEIGHT = 41;
const MORE_BEFORE_END = 30;

/** A table of any length: only the rows in sight are drawn, and the next page is asked for before the last row is reached. */
export function Rows<Row>({ label, pages, columns, keyOf, to, empty, order, onOrder }: RowsProps<Row>) {
  const frame = useRef<HTMLDivElement>(null);
  const { rows, totalCount, isEstimate, hasMore, loadMore, isBusy, isKnown, error } = pages;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const shown = virtualizer.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - MORE_BEFORE_END) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  if (error && !isKnown) return <Failed error={error} />;
  if (!isKnown) return <WaitingRows />;
  if (rows.length === 0) return <div className="rows">{empty}</div>;
  const tracks = {
    '--tracks': columns.map(({ width }) => width).join(' '),
    '--tracks-narrow': columns
      .filter(({ wideOnly }) => !wideOnly)
      .map(({ width }) => width)
      .join(' '),
  } as CSSProperties;
  const count = totalCount ?? rows.length;
  return (
    <>
      <div
        ref={frame}
        className="rows rows-tall"
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={isBusy}
        style={tracks}
        tabIndex={0}
      >
        <div role="rowgroup" className="rows-top">
          <div role="row" className="rows-head" aria-rowindex={1}>
            {columns.map((column) => (
              <Heading key={column.name} column={column} order={order} onOrder={onOrder} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className="rows-body" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const row = rows[index] as Row;
            return <DrawnRow key={keyOf(row)} row={row} index={index} start={start} columns={columns} to={to} />;
          })}
        </div>
      </div>
      <Text size="xs" c="dimmed" py={6}>
        {isEstimate ? 'more than ' : ''}
        {count.toLocaleString('en')} {count === 1 ? 'row' : 'rows'}
      </Text>
    </>
  );
}

interface DrawnRowProps<Row> {
  row: Row;
  index: number;
  start: number;
  columns: readonly Column<Row>[];
  to: RowsProps<Row>['to'];
}

function DrawRow<Row>({ row, index, start, columns, to }: DrawnRowProps<Row>) {
  return (
    <div role="row" className="rows-row" aria-rowindex={index + 2} style={{ transform: `translateY(${start}px)` }}>
      {columns.map((column, at) => (
        <div role="cell" key={column.name} className={column.wideOnly ? 'wide-only' : undefined}>
          {at === 0 && to ? (
            <Link to={to(row)} className="rows-link">
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </div>
      ))}
    </div>
  );
}

/** Drawn once for as long as it is in sight: a frame of scrolling draws the rows that come into sight alone. */
const DrawnRow = memo(DrawRow) as typeof DrawRow;

function Heading<Row>({
  column: { name, field, wideOnly },
  order,
  onOrder,
}: {
  column: Column<Row>;
  order: RowsProps<Row>['order'];
  onOrder: RowsProps<Row>['onOrder'];
}) {
  const isOrder = field !== undefined && field === order?.field;
  const direction = isOrder ? (order?.isDescending ? 'descending' : 'ascending') : undefined;
  return (
    <div role="columnheader" aria-sort={direction} className={wideOnly ? 'wide-only' : undefined}>
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
