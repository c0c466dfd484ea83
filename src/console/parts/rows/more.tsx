import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Pages } from '../../data/use-pages.js';
import { keepsFocus } from '../focus/keeps-focus.js';
import { PartFailed } from '../states.js';
import { useWayBack } from './use-way-back.js';

interface MoreProps {
  pages: Pages<unknown>;
  /** The label of the button. */
  children: string;
}

/** A button below a list that loads the next page, while there is one. */
export function More({ pages, children }: MoreProps) {
  const [asked, setAsked] = useState('');
  const here = `${pages.rows.length} ${pages.question}`;
  const loadMore = () => {
    setAsked(here);
    pages.loadMore();
  };
  useWayBack(pages, pages.isKnown ? document.scrollingElement : null);
  if (pages.restError) return <PartFailed what="The remaining rows" error={pages.restError} again={loadMore} />;
  if (!pages.hasMore) return null;
  return (
    <Button variant="default" mt="sm" onClick={loadMore} loading={asked === here} renderRoot={keepsFocus}>
      {children}
    </Button>
  );
}
