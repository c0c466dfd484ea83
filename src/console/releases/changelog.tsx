import { Badge, Group, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  ChangelogDocument,
  type ChangelogQuery,
  CreateEntryDocument,
  DeleteEntryDocument,
  PublishEntryDocument,
  UpdateEntryDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { changedOf } from '../editor/changed.js';
import { Confirmed } from '../parts/confirmed.js';
import { EditDelete } from '../parts/edit-delete.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { capitalized, Muted } from '../parts/text.js';
import { When } from '../parts/when.js';

type Entry = NonNullable<ChangelogQuery['changelogEntries']>['nodes'][number];

/** Release notes for users, as drafts until published. */
export function Changelog() {
  const { projectId } = useScope();
  const may = useMay('changelog_manage');
  const [editing, setEditing] = useState<Partial<Entry> | null>(null);
  const [publish] = useChange(PublishEntryDocument, { quiet: true });
  const [remove] = useChange(DeleteEntryDocument, { quiet: true });
  const pages = usePages(ChangelogDocument, { projectId }, ({ changelogEntries }) => changelogEntries);
  return (
    <Panel
      title="Changelog"
      aside={
        <Permitted may={may} variant="default" onClick={() => setEditing({})}>
          New entry
        </Permitted>
      }
    >
      <NoRows pages={pages}>No entries yet. Your pages can read the entries you publish here.</NoRows>
      {pages.rows.map((entry) => (
        <div key={entry.id} className="entry">
          <div>
            <strong>{entry.title}</strong>{' '}
            <Badge color={entry.status === 'published' ? 'teal' : 'gray'}>{capitalized(entry.status)}</Badge>
            <Muted size="xs">
              <When at={entry.publishedAt ?? entry.createdAt} />
            </Muted>
          </div>
          <Group gap={4}>
            {entry.status === 'draft' && (
              <Confirmed
                may={may}
                variant="default"
                size="compact-xs"
                action="Publish"
                what={`“${isolated(entry.title)}”`}
                goesAlong={["Your pages show it immediately. You can't turn it back into a draft."]}
                run={() => publish({ id: entry.id }, 'Entry published.')}
              />
            )}
            <EditDelete
              may={may}
              what={`“${isolated(entry.title)}”`}
              goesAlong={[
                entry.status === 'published'
                  ? 'Your pages stop showing it immediately.'
                  : 'This permanently deletes the draft.',
              ]}
              remove={() => remove({ id: entry.id }, 'Entry deleted.')}
              onEdit={() => setEditing(entry)}
            />
          </Group>
        </div>
      ))}
      <More pages={pages}>Load older entries</More>
      {editing && <EntryForm entry={editing} onClose={() => setEditing(null)} />}
    </Panel>
  );
}

function EntryForm({ entry, onClose }: { entry: Partial<Entry>; onClose: () => void }) {
  const { projectId } = useScope();
  const before = { title: entry.title ?? '', body: entry.body ?? '' };
  const [title, setTitle] = useState(before.title);
  const [body, setBody] = useState(before.body);
  const [create] = useChange(CreateEntryDocument, { quiet: true });
  const [update] = useChange(UpdateEntryDocument, { quiet: true });
  const save = () =>
    entry.id
      ? update({ input: { id: entry.id, ...changedOf(before, { title, body }) } }, 'Saved.')
      : create({ input: { projectId, title, body } }, 'Draft created.');
  return (
    <FormDialog title={entry.id ? 'Edit entry' : 'New entry'} action={'Save'} isWide save={save} onClose={onClose}>
      {(faultOf) => (
        <>
          <TextInput label="Title" error={faultOf('title')} data-autofocus required {...typing(title, setTitle)} />
          <Textarea label="Text" error={faultOf('body')} autosize minRows={5} {...typing(body, setBody)} />
        </>
      )}
    </FormDialog>
  );
}
