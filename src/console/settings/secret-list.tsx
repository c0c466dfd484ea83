import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pages } from '../data/use-pages.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';

interface SecretListProps<Secret> {
  title: string;
  pages: Pages<Secret>;
  /** What to know where there is none yet. */
  none: string;
  /** What the button says that reads on. */
  more: string;
  row: (secret: Secret) => ReactNode;
  /** What can be done to several at once. */
  aside?: ReactNode;
  /** Below the list: the form for another one. */
  children: ReactNode;
}

export function SecretList<Secret>({ title, pages, none, more, row, aside, children }: SecretListProps<Secret>) {
  return (
    <Panel title={title} aside={aside}>
      {!pages.isKnown && <WaitingRows rows={3} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <table className="plain-table">
        <tbody>{pages.rows.map(row)}</tbody>
      </table>
      <More pages={pages}>{more}</More>
      {children}
    </Panel>
  );
}
