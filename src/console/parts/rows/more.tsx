import { Button } from '@mantine/core';
import type { Pages } from '../../data/use-pages.js';
import { PartFailed } from '../states.js';
import { useWayBack } from './use-way-back.js';

interface MoreProps {
  pages: Pages<unknown>;
  /** What the button says. */
  children: string;
}

/** Below a list of the page: the button that reads on, as long as there is more. */
export function More({ pages, children }: MoreProps) {
  useWayBack(pages, pages.isKnown ? document.scrollingElement : null);
  if (pages.restError) return <PartFailed what="The rest" error={pages.restError} again={pages.loadMore} />;
  if (!pages.hasMore) return null;
  return (
    <Button variant="default" mt="sm" onClick={pages.loadMore}>
      {children}
    </Button>
  );
}
