import { Button } from '@mantine/core';
import type { Pages } from '../../data/use-pages.js';
import { PartFailed } from '../states.js';
import { useWayBack } from './use-way-back.js';

interface MoreProps {
  pages: Pages<unknown>;
  /** The label of the button. */
  children: string;
}

/** A button below a list that loads the next page, while there is one. */
export function More({ pages, children }: MoreProps) {
  useWayBack(pages, pages.isKnown ? document.scrollingElement : null);
  if (pages.restError) return <PartFailed what="The remaining rows" error={pages.restError} again={pages.loadMore} />;
  if (!pages.hasMore) return null;
  return (
    <Button variant="default" mt="sm" onClick={pages.loadMore}>
      {children}
    </Button>
  );
}
