import { Badge, Group } from '@mantine/core';
import {
  ArchiveConfigItemDocument,
  ConfigItemByKeyDocument,
  type ItemWholeFragment,
  UnarchiveConfigItemDocument,
} from '#documents';
import { useParam, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page, Panel } from '../parts/page.js';
import { PageTabs } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Absent } from '../parts/states.js';
import { ItemEditor } from './item-editor.js';
import { ItemHistory } from './item-history.js';
import { TryItem } from './try-item.js';

/** A config item: value and rules, a trial as a person, history. */
export function ItemPage() {
  const { projectId, environment } = useScope();
  const key = useParam('itemKey');
  const { data, error, fetching } = useDocument(ConfigItemByKeyDocument, { projectId, environment, key });
  const item = data?.configItemByKey;
  if (!item) return <Absent what="config item" error={error} isAsked={fetching} />;
  return <LoadedItem key={item.id} item={item} />;
}

function LoadedItem({ item }: { item: ItemWholeFragment }) {
  const [archive] = useChange(ArchiveConfigItemDocument, { quiet: true });
  const [unarchive, unarchiving] = useChange(UnarchiveConfigItemDocument);
  const { id, key } = item;
  const mayArchive = item.viewerCan.includes('config_item_archive');
  const takeOut = () => unarchive({ id }, `${key} unarchived.`);
  return (
    <Page
      title={key}
      above={{ name: 'Config', path: 'config' }}
      audited={{ objectType: 'config_item', objectId: id }}
      beside={
        <Group gap={6}>
          {item.isArchived && <Badge color="gray">Archived</Badge>}
          <Badge color="gray">{item.type}</Badge>
          <Badge color="gray">v{item.currentVersion}</Badge>
        </Group>
      }
      actions={
        item.isArchived ? (
          <Permitted may={mayArchive} variant="default" loading={unarchiving} onClick={takeOut}>
            Unarchive
          </Permitted>
        ) : (
          <Confirmed
            action="Archive"
            what={key}
            goesAlong={[
              'Apps no longer get a value for it and fall back to the default in their code.',
              'You keep its history and can unarchive it later.',
            ]}
            may={mayArchive}
            variant="default"
            run={() => archive({ id }, `${key} archived.`, takeOut)}
          />
        )
      }
    >
      <PageTabs
        tabs={[
          { value: 'value', name: 'Value and rules', content: <ItemEditor item={item} /> },
          {
            value: 'try',
            name: 'Try as a person',
            content: (
              <Panel title="Try as a person">
                <TryItem itemId={id} />
              </Panel>
            ),
          },
          { value: 'history', name: 'History', content: <ItemHistory item={item} /> },
        ]}
      />
    </Page>
  );
}
