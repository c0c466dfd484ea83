import type { ReactNode } from 'react';
import type { Pages } from '../data/use-pages.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';

interface SecretListProps<Secret> {
  title: string;
  pages: Pages<Secret>;
  /** Shown when there is none yet. */
  none: string;
  /** The label of the button that loads the next page. */
  more: string;
  row: (secret: Secret) => ReactNode;
  /** Bulk actions. */
  aside?: ReactNode;
  /** Below the list: the create form. */
  children: ReactNode;
}

export function SecretList<Secret>({ title, pages, none, more, row, aside, children }: SecretListProps<Secret>) {
  return (
    <Panel title={title} aside={aside}>
      <NoRows pages={pages}>{none}</NoRows>
      <table className="plain-table">
        <tbody>{pages.rows.map(row)}</tbody>
      </table>
      <More pages={pages}>{more}</More>
      {children}
    </Panel>
  );
}
