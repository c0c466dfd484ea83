import { Group } from '@mantine/core';
import {
  ArchiveConfigItemsDocument,
  ConfigItemsDocument,
  type ItemRowFragment,
  UnarchiveConfigItemDocument,
} from '#documents';
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
import { firstWords } from '../parts/rows/first-words.js';
import { type Column, Rows } from '../parts/rows/rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { Empty } from '../parts/states.js';
import { Tag } from '../parts/tag.js';
import { When } from '../parts/when.js';
import { CreateItem } from './create-item.js';

const COLUMNS: Column<ItemRowFragment>[] = [
  {
    name: 'Key',
    width: 'minmax(0, 2fr)',
    field: 'key',
    cell: ({ key, description }) => (
      <div className="cut">
        <span className="mono">{key}</span> <span className="soft wide-only">{firstWords(description)}</span>
      </div>
    ),
  },
  { name: 'Type', width: '64px', narrow: '54px', cell: ({ type }) => <Tag>{type}</Tag> },
  {
    name: 'Value',
    width: 'minmax(0, 2fr)',
    cell: ({ valuePreview }) => (
      <div dir="auto" className="mono cut">
        {valuePreview}
      </div>
    ),
  },
  { name: 'Version', width: '56px', wideOnly: true, isNumber: true, cell: ({ currentVersion }) => currentVersion },
  {
    name: 'Changed',
    width: '130px',
    wideOnly: true,
    field: 'updatedAt',
    cell: ({ updatedAt }) => <When at={updatedAt} />,
  },
];

const SHOWN = { current: 'Current', archived: 'Archived' } as const;

export function ConfigPage() {
  const scope = useScope();
  const { projectId, environment } = scope;
  const [search] = useSearchState();
  const mayChange = useMay('config_item_change');
  const [creates, open, close] = useOpened('new', mayChange);
  const isArchived = useChoice('show', SHOWN) === 'archived';
  const { orderBy, order, onOrder } = useOrder(['key', 'updatedAt'], 'asc');
  const variables = {
    projectId,
    environment,
    search: search.q ?? null,
    filter: { isArchived: { eq: isArchived } },
    includeArchived: isArchived,
    orderBy,
  };
  const pages = usePages(ConfigItemsDocument, variables, ({ configItems }) => configItems);
  const chosen = useChosen(variables, pages.rows);
  const mayChoose = useMay('config_item_archive') && !isArchived;
  const columns = useChoosingColumn(COLUMNS, mayChoose ? chosen : null, 'key');
  const create = (
    <Permitted may={mayChange} onClick={open}>
      New item
    </Permitted>
  );
  return (
    <Page
      title="Config"
      flush
      actions={
        <>
          <ArchiveItems chosen={chosen} />
          {create}
        </>
      }
    >
      <Group gap="xs" mb="sm">
        <SearchField label="Search items" placeholder="Key or description" />
        <Choice label="Status" name="show" choices={SHOWN} />
      </Group>
      <Rows
        label="Config items"
        pages={pages}
        columns={columns}
        to={({ key }) => scopePath(scope, 'config', key)}
        order={order}
        onOrder={onOrder}
        empty={
          search.q || isArchived ? (
            <Empty title="No matching items">Try a different search.</Empty>
          ) : (
            <Empty title={`No config in ${environment} yet`} action={create}>
              A config item is a value that apps read at run time, such as a limit, text or JSON. Change it without a
              release, for everyone or by rules, and roll back to any version.
            </Empty>
          )
        }
      />
      {creates && <CreateItem onClose={close} />}
    </Page>
  );
}

function ArchiveItems({ chosen }: { chosen: Chosen }) {
  const may = useMay('config_item_archive');
  const [archive] = useChange(ArchiveConfigItemsDocument, { quiet: true });
  const [unarchive] = useChange(UnarchiveConfigItemDocument);
  return (
    <ArchiveChosen
      chosen={chosen}
      one="item"
      goesAlong={[
        'Apps no longer get values for these items and fall back to the defaults in their code.',
        'You keep their history and can unarchive them later.',
      ]}
      may={may}
      archive={archive}
      takeOut={(id) => unarchive({ id })}
    />
  );
}
