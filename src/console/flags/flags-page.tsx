import { Group } from '@mantine/core';
import { useCallback, useMemo, useState } from 'react';
import { ArchiveFlagsDocument, FlagsDocument, UnarchiveFlagDocument } from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { useOpened } from '../data/use-opened.js';
import { useOrder } from '../data/use-order.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { ArchiveChosen } from '../parts/rows/archive-chosen.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { useChoosingColumn } from '../parts/rows/choosing.js';
import { Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { Empty } from '../parts/states.js';
import { CreateFlag } from './create-flag.js';
import { type FlagRow, flagColumns } from './flag-columns.js';
import { HaltDialog } from './halt-dialog.js';

const FILTERS = {
  current: { isArchived: { eq: false } },
  halted: { haltedAt: { from: '1970-01-02T00:00:00Z' } },
  archived: { isArchived: { eq: true } },
} as const;

const SHOWN = { current: 'Current', halted: 'Halted', archived: 'Archived' } as const;

export function FlagsPage() {
  const scope = useScope();
  const { projectId, environment } = scope;
  const [search] = useSearchState();
  const [halting, setHalting] = useState<FlagRow | null>(null);
  const mayChange = useMay('switch_flag_change');
  const [creates, open, close] = useOpened('new', mayChange);
  const show = useChoice('show', SHOWN);
  const { orderBy, order, onOrder } = useOrder(['updatedAt', 'key'], 'desc', 'asc');
  const variables = {
    projectId,
    environment,
    search: search.q ?? null,
    filter: FILTERS[show],
    includeArchived: show === 'archived',
    orderBy,
  };
  const pages = usePages(FlagsDocument, variables, ({ flags }) => flags);
  const chosen = useChosen(variables, pages.rows);
  const mayChoose = useMay('switch_flag_archive') && show !== 'archived';
  const plain = useMemo(() => flagColumns(setHalting), []);
  const columns = useChoosingColumn(plain, mayChoose ? chosen : null, 'key');
  const to = useCallback(({ key }: FlagRow) => scopePath(scope, 'flags', key), [scope]);
  const isFiltered = Boolean(search.q) || show !== 'current';
  const create = (
    <Permitted may={mayChange} onClick={open}>
      New flag
    </Permitted>
  );
  return (
    <Page
      title="Flags"
      flush
      actions={
        <>
          <ArchiveFlags chosen={chosen} />
          {create}
        </>
      }
    >
      <Group gap="xs" mb="sm">
        <SearchField label="Search flags" placeholder="Key or description" />
        <Choice label="Status" name="show" choices={SHOWN} />
      </Group>
      <Rows
        label="Flags"
        pages={pages}
        columns={columns}
        to={to}
        order={order}
        onOrder={onOrder}
        empty={
          isFiltered ? (
            <Empty title="No matching flags">Try a different search or filter.</Empty>
          ) : (
            <Empty title={`No flags in ${environment} yet`} action={create}>
              A flag turns part of your product on for everyone, some people or a percentage. Halt it to turn it off
              immediately, without a release.
            </Empty>
          )
        }
      />
      {creates && <CreateFlag onClose={close} />}
      {halting && <HaltDialog flag={halting} onClose={() => setHalting(null)} />}
    </Page>
  );
}

function ArchiveFlags({ chosen }: { chosen: Chosen }) {
  const may = useMay('switch_flag_archive');
  const [archive] = useChange(ArchiveFlagsDocument, { quiet: true });
  const [unarchive] = useChange(UnarchiveFlagDocument);
  return (
    <ArchiveChosen
      chosen={chosen}
      one="flag"
      goesAlong={[
        "Everyone gets the default variants immediately. Flags that others depend on can't be archived.",
        'You keep their history and can unarchive them later.',
      ]}
      may={may}
      archive={archive}
      takeOut={(flagId) => unarchive({ flagId })}
    />
  );
}
