import type { ReactNode } from 'react';
import type { Pages } from '../../data/use-pages.js';
import { WaitingRows } from '../states.js';
import { Muted } from '../text.js';

interface NoRowsProps {
  pages: Pages<unknown>;
  /** How many rows to hold a place for while they load. */
  expected?: number;
  /** The sentence when there are none. */
  children: ReactNode;
}

/** In place of a list's rows: a placeholder while they load, why they didn't, or that there are none. */
export function NoRows({ pages, expected = 3, children }: NoRowsProps) {
  if (!pages.isKnown) return <WaitingRows rows={expected} error={pages.error} />;
  if (pages.rows.length > 0) return null;
  return <Muted>{children}</Muted>;
}
