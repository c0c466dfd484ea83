import { Badge, Button, Group, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CreateReleaseDocument, DeleteReleaseDocument, PromoteReleaseDocument, ReleasesDocument } from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Changelog } from './changelog.js';

/** What was released, what is out now, and what users are told of it. */
export function ReleasesPage() {
  const { projectId, environment } = useScope();
  const [promote] = useChange(PromoteReleaseDocument);
  const [remove] = useChange(DeleteReleaseDocument);
  const pages = usePages(ReleasesDocument, { projectId, environment }, ({ releases }) => releases);
  const maySeeChangelog = useMay('changelog_view');
  return (
    <Page title="Releases">
      <Panel title={`Releases in ${environment}`}>
        {!pages.isKnown && <WaitingRows rows={3} />}
        {pages.rows.map(({ id, version, commitSha, notes, current, promotedAt, viewerCan }) => {
          const may = viewerCan.includes('release_manage');
          return (
            <Group key={id} justify="space-between" className="frame">
              <div>
                <Group gap={6}>
                  <strong className="mono">{version}</strong>
                  {current && <Badge color="teal">out</Badge>}
                  <Text size="xs" c="dimmed">
                    {commitSha?.slice(0, 10)} {promotedAt ? 'promoted ' : ''}
                    {promotedAt ? <When at={promotedAt} /> : null}
                  </Text>
                </Group>
                {notes && <Text size="sm">{notes}</Text>}
              </div>
              <Group gap={4}>
                {!current && (
                  <Permitted
                    may={may}
                    variant="default"
                    size="compact-xs"
                    onClick={() => promote({ id }, `${version} is out.`)}
                  >
                    Promote
                  </Permitted>
                )}
                <Permitted
                  may={may}
                  variant="subtle"
                  color="red"
                  size="compact-xs"
                  onClick={() => remove({ id }, `${version} is deleted.`)}
                >
                  Delete
                </Permitted>
              </Group>
            </Group>
          );
        })}
        {pages.hasMore && (
          <Button variant="default" mt="sm" onClick={pages.loadMore}>
            Older releases
          </Button>
        )}
        <NewRelease />
      </Panel>
      {maySeeChangelog && <Changelog />}
    </Page>
  );
}

function NewRelease() {
  const { projectId, environment } = useScope();
  const may = useMay('release_manage');
  const [version, setVersion] = useState('');
  const [notes, setNotes] = useState('');
  const [create, creating] = useChange(CreateReleaseDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await create({ input: { projectId, environment, version, notes } }, `${version} is known.`);
    if (!error) setVersion('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" mt="sm">
        <TextInput label="Version" required value={version} onChange={(e) => setVersion(e.currentTarget.value)} />
        <TextInput label="Notes" value={notes} onChange={(e) => setNotes(e.currentTarget.value)} flex={1} miw={160} />
        <Permitted may={may} type="submit" loading={creating}>
          Add release
        </Permitted>
      </Group>
    </form>
  );
}
