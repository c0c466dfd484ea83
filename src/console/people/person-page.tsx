import { Group, Text } from '@mantine/core';
import { DeletePersonDocument, PersonDocument, type PersonQuery, SplitPersonDocument } from '#documents';
import { isNotFound } from '../data/failures.js';
import { isolated } from '../data/notify.js';
import { useParam, useScope } from '../data/scope.js';
import { useDeletion } from '../data/use-deletion.js';
import { useChange, useDocument } from '../data/use-document.js';
import { EventList } from '../events/event-list.js';
import { Confirmed } from '../parts/confirmed.js';
import { Facts } from '../parts/facts.js';
import { textOf } from '../parts/fields/typed-values.js';
import { Page, Panel } from '../parts/page.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';

type Person = NonNullable<PersonQuery['person']>;

/** A person: their properties, ids and timeline. */
export function PersonPage() {
  const { projectId, environment } = useScope();
  const distinctId = useParam('distinctId');
  const { data, error, fetching } = useDocument(PersonDocument, { projectId, environment, distinctId });
  const person = data?.person;
  if (!person && isNotFound(error)) return <Missing what="person" />;
  if (!person && error && !fetching) return <Failed error={error} />;
  if (data && !person) return <Stranger distinctId={distinctId} />;
  if (!person) return <Waiting />;
  return (
    <Page
      title={distinctId}
      above={{ name: 'People', path: 'events/people' }}
      audited={{ objectType: 'person', objectId: person.id }}
      actions={<Erase person={person} distinctId={distinctId} />}
    >
      <div className="two">
        <Panel title="Timeline">
          <EventList eventName={null} personId={person.id} />
        </Panel>
        <div>
          <Panel title="Properties">
            <Facts
              facts={Object.fromEntries(
                Object.entries((person.properties ?? {}) as Record<string, unknown>).map(([name, value]) => [
                  name,
                  textOf(value),
                ]),
              )}
            />
          </Panel>
          <Panel title="Ids">
            <Ids person={person} />
          </Panel>
        </div>
      </div>
    </Page>
  );
}

/** An id that may occur in events but has nothing else stored. */
function Stranger({ distinctId }: { distinctId: string }) {
  return (
    <Page title={distinctId} above={{ name: 'People', path: 'events/people' }}>
      <Text size="sm" mb="md">
        Nothing else is stored for this id: apps have sent no properties for it and haven't merged it with another id.
      </Text>
      <Panel title="Timeline">
        <EventList eventName={null} distinctId={distinctId} />
      </Panel>
    </Page>
  );
}

function Ids({ person }: { person: Person }) {
  const { projectId, environment } = useScope();
  const [split] = useChange(SplitPersonDocument, { quiet: true });
  const merged = new Map(person.merges.filter(({ undoneAt }) => !undoneAt).map((merge) => [merge.aliasId, merge]));
  return (
    <>
      {person.distinctIds.map((id) => (
        <div key={id} className="entry">
          <Text size="sm" className="mono">
            {id}
          </Text>
          {merged.has(id) && (
            <Group gap="xs">
              <Muted size="xs">
                merged <When at={merged.get(id)?.mergedAt} />
              </Muted>
              <Confirmed
                may={person.viewerCan.includes('person_split')}
                variant="default"
                size="compact-xs"
                action="Split off"
                what={isolated(id)}
                goesAlong={[
                  'It becomes a separate person again, with the ids, properties and events it had when it was merged.',
                  'Flags, cohorts and surveys treat the two as different people.',
                  "They're merged again only if an app reports it.",
                ]}
                run={() =>
                  split(
                    { input: { projectId, environment, distinctId: id } },
                    `${isolated(id)} split off as a separate person.`,
                  )
                }
              />
            </Group>
          )}
        </div>
      ))}
    </>
  );
}

function Erase({ person, distinctId }: { person: Person; distinctId: string }) {
  const { projectId, environment } = useScope();
  const erase = useDeletion(DeletePersonDocument, 'events', 'people');
  return (
    <Confirmed
      may={person.viewerCan.includes('person_delete')}
      variant="light"
      color="red"
      action="Erase"
      what={isolated(distinctId)}
      goesAlong={[
        `This permanently deletes the person and ${person.distinctIds.length === 1 ? 'their id' : `their ${person.distinctIds.length} ids`}.`,
        'Their events and the crashes that name them are deleted too.',
      ]}
      run={() => erase({ input: { projectId, environment, distinctId } }, 'Erasing their data.')}
    />
  );
}
