import { Button, Group, Select } from '@mantine/core';
import { type AuditEntryFilter, EventKindsDocument, KeysDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { useSearchState } from '../data/use-search-state.js';
import { useMembers } from '../parts/fields/use-members.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { SearchField } from '../parts/rows/search-field.js';
import { TimeFields, useTimeWindow, windowWords } from '../parts/rows/time-window.js';
import { actorWords } from '../parts/text.js';
import { type Entry, nameOf, thingWords } from './audit-words.js';

const OF = { project: 'This project', organization: 'Organization' } as const;
const ENVIRONMENTS = { all: 'All', live: 'Live', test: 'Test' } as const;

/** The audit log query from the address. It waits until the event kinds that match the search text are known. */
export function useAuditFilter() {
  const { projectId } = useScope();
  const [{ q, who, token, objectType, objectId }] = useSearchState();
  const { data, error } = useDocument(EventKindsDocument, {}, { requestPolicy: 'cache-first' });
  const kinds = data?.eventKinds?.map(({ kind }) => kind);
  const createdAt = useTimeWindow();
  const environment = useChoice('environment', ENVIRONMENTS);
  const isOfProject = useChoice('of', OF) === 'project';
  const looked = q?.toLowerCase();
  const filter: AuditEntryFilter = {
    ...(looked && { kind: { in: kinds?.filter((kind) => kind.includes(looked)) ?? [] } }),
    ...(who && { actorId: { eq: who } }),
    ...(token && { actorTokenId: { eq: token } }),
    ...(environment !== 'all' && { environment: { eq: environment } }),
    ...(createdAt && { createdAt }),
    ...(objectType && { objectType: { eq: objectType } }),
    ...(objectId && { objectId: { eq: objectId } }),
  };
  return {
    projectId: isOfProject ? projectId : null,
    filter,
    isWaiting: Boolean(looked) && !kinds,
    error,
  };
}

/** Everyone entries may be by: members, active keys, and other actors in the loaded rows. */
function useActors(rows: readonly Entry[]) {
  const { projectId } = useScope();
  const [{ who }] = useSearchState();
  const { members, onSearchChange } = useMembers();
  const { data } = useDocument(KeysDocument, { projectId }, { pause: !useMay('key_view') });
  const keys = (data?.apiKeys?.nodes ?? []).map(({ id, name, hint, environment }) => ({
    value: `key:${id}`,
    label: `${isolated(name || hint)} (${environment} key)`,
  }));
  const known = new Set([...members, ...keys].map(({ value }) => value));
  const seen = new Map(rows.map(({ actorId, actorEmail }) => [actorId, actorWords(actorId, actorEmail)]));
  if (who && !seen.has(who)) seen.set(who, actorWords(who, ''));
  const others = [...seen].flatMap(([value, label]) => (known.has(value) ? [] : [{ value, label }]));
  return { members, keys, others, onSearchChange };
}

/** The audit log's filters, and whether it covers the project or the whole organization. */
export function AuditFields({ rows }: { rows: readonly Entry[] }) {
  const [{ who, token, objectType, objectId }, change] = useSearchState();
  const { members, keys, others, onSearchChange } = useActors(rows);
  const groups = { Members: members, Keys: keys, Others: others };
  const object = objectId ? objectWords(rows, objectType, objectId) : null;
  return (
    <Group gap="xs" mb="sm">
      <SearchField label="Kind of change" placeholder="switch.flag, halted, member" />
      <Select
        aria-label="Changed by"
        placeholder="Anyone"
        searchable
        clearable
        data={Object.entries(groups).flatMap(([group, items]) => (items.length > 0 ? [{ group, items }] : []))}
        value={who ?? null}
        onChange={(next) => change({ who: next })}
        onSearchChange={onSearchChange}
        nothingFoundMessage="No matches."
        w={{ base: '100%', sm: 220 }}
      />
      <Choice label="Environment" name="environment" choices={ENVIRONMENTS} />
      <Choice label="Scope" name="of" choices={OF} />
      <TimeFields what="Changed" />
      {object && <Narrowed to={object} remove={() => change({ objectType: null, objectId: null })} />}
      {token && <Narrowed to={tokenWords(rows, token)} remove={() => change({ token: null })} />}
    </Group>
  );
}

/** A filter that comes from a link, with the way to remove it. */
const Narrowed = ({ to, remove }: { to: string; remove: () => void }) => (
  <Button variant="light" size="compact-sm" aria-label={`Remove filter: ${to}`} onClick={remove}>
    {to} ×
  </Button>
);

/** Such as "flag checkout", if a loaded entry names it. */
function objectWords(rows: readonly Entry[], objectType: string | undefined, objectId: string): string {
  const entry = rows.find((row) => row.objectId === objectId && nameOf(row.data));
  return `${thingWords(objectType ?? entry?.objectType ?? 'object')} ${isolated(nameOf(entry?.data) ?? objectId)}`;
}

/** Such as "API token CI", if a loaded entry names it. */
const tokenWords = (rows: readonly Entry[], token: string): string =>
  `API token ${isolated(rows.find(({ actorTokenId }) => actorTokenId === token)?.actorTokenName ?? token)}`;

/** Repeats the filters when nothing matches. */
export function NothingChanged() {
  const [{ q, who, token, objectType, objectId }] = useSearchState();
  const { members } = useMembers();
  const environment = useChoice('environment', ENVIRONMENTS);
  const window = useTimeWindow();
  const label = members.find(({ value }) => value === who)?.label;
  const asked = [
    q && `of a kind with “${q}”`,
    who && `by ${label ?? actorWords(who, '')}`,
    token && `with the API token ${token}`,
    environment !== 'all' && `in ${environment}`,
    window && windowWords(window),
    objectId && `to the ${thingWords(objectType ?? 'object')} ${objectId}`,
  ].filter(Boolean);
  return asked.length === 0 ? 'No changes yet.' : `No changes ${asked.join(', ')}.`;
}
