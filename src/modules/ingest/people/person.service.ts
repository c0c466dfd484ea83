import type { FilterQuery } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import type { Page } from '../../../kernel/paging.js';
import { storableJson, storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { loadOnce } from '../../access/visible-node.js';
import type { PersonInput } from '../ingest.inputs.js';
import type { PersonSplit } from '../ingest.results.js';
import { peopleFailure } from '../people.errors.js';
import { authorizeSearch } from '../searched-texts.js';
import { deleteIdentity, lockIdentitiesOf } from './identity-store.js';
import { Person } from './person.entity.js';
import type { PersonErasureService } from './person-erasure.service.js';
import { namedAs, PEOPLE, type PersonListArgs } from './person-list.js';
import { PersonMerge } from './person-merge.entity.js';

/** Lists that contain persons' ids, such as those of cohorts; a deleted person's ids are removed from them. */
export interface ListsOfIds {
  forgetIds(ctx: Context, project: Project, ids: readonly string[]): Promise<void>;
}

export class PersonService {
  private readonly rows = new ProjectRows(Person, 'prs', () => peopleFailure('person_not_found'), loadOnce);

  constructor(
    private readonly events: EventLog,
    private readonly lists: ListsOfIds,
    private readonly erasures: PersonErasureService,
  ) {}

  /**
   * Persons of an environment, oldest first. Searching and filtering by properties need the Editor role, because they can reveal email
   * addresses.
   */
  list(operation: OperationContext, projectId: string, args: PersonListArgs): Promise<Page<Person>> {
    const { environment, properties, search } = args;
    const action = properties || search ? 'person.search' : 'person.view';
    const found: FilterQuery<Person>[] = [
      ...(properties ? [{ properties: { $contains: storableJson(properties) as object } }] : []),
      ...(search ? [namedAs(environment, storableText(search))] : []),
    ];
    const plain = { ...args, search: null };
    const where = { environment };
    return listOfOwner(operation, action, PEOPLE, projectId, plain, where, found.length > 0 ? { $and: found } : null);
  }

  /** A person by their own id. Fails with `person_not_found`. */
  get(ctx: Context, id: string): Promise<Person> {
    return this.rows.get(ctx, 'person.view', id);
  }

  /** The person behind an id; null if only events were received for it. Fails like {@link authorizeSearch}. */
  async find(ctx: Context, key: PersonInput): Promise<Person | null> {
    const project = await authorizeSearch(ctx, 'person.view', key.projectId, [key.distinctId]);
    return this.personOf(ctx, { ...key, projectId: project.id });
  }

  /**
   * Undoes the newest merge of this alias: the ids that came with it move back to their own person, with the properties of that time; the
   * kept person loses what it took over, unless it has changed since. Fails with `no_merge`.
   */
  async split(ctx: Context, key: PersonInput): Promise<PersonSplit> {
    const project = await authorize(ctx, 'person.split', key.projectId);
    const scope = { projectId: project.id, environment: key.environment };
    await lockIdentitiesOf(ctx.em, scope);
    const aliasId = storableText(key.distinctId);
    const kept = await this.personOf(ctx, { ...scope, distinctId: aliasId });
    const merge = await ctx.em.findOne(
      PersonMerge,
      { ...scope, aliasId, undoneAt: null },
      { orderBy: { mergedAt: 'desc', id: 'desc' } },
    );
    if (!kept || !merge) throw peopleFailure('no_merge');
    const splitId = newPrefixedId('prs');
    // Numbers in properties have digits that JavaScript would lose.
    await ctx.em.execute(
      `insert into person (id, project_id, environment, properties, created_at, updated_at)
       select ?, project_id, environment, merged_properties, merged_created_at, ? from person_merge where id = ?`,
      [splitId, ctx.now(), merge.id],
    );
    await ctx.em.execute(
      `update person p set updated_at = ?, properties = p.properties - array(
          select key from jsonb_each(m.taken_properties) where p.properties -> key = value)
         from person_merge m where m.id = ? and p.id = ?`,
      [ctx.now(), merge.id, kept.id],
    );
    merge.undoneAt = ctx.now();
    await ctx.em.flush();
    await ctx.em.refresh(kept);
    const split = await ctx.em.findOneOrFail(Person, { id: splitId });
    await ctx.em.execute(
      `update person_id set person_id = ?, alias_of = case when distinct_id = ? then null else alias_of end
        where person_id = ? and distinct_id = any(array(select unnest(merged_ids) from person_merge where id = ?))`,
      [split.id, aliasId, kept.id, merge.id],
    );
    this.events.emit(ctx, 'ingest.person.split', {
      organizationId: project.organizationId,
      ...scope,
      object: { type: 'person', id: kept.id },
      data: { distinct_id: aliasId },
      before: { person_id: kept.id },
      after: { person_id: kept.id, split_person_id: split.id },
    });
    return { kept, split };
  }

  /**
   * Deletes a person with all ids and merges and removes the ids from cohort lists. Their events, including those in the analytics store
   * once it can be reached, and their traces in crash events are erased once this is durable, by a job if there are many. Cohort
   * predicates, flag rules and the audit log stay. An id may be one that only appeared in events, crashes or survey responses. Fails with
   * `person_not_found`.
   */
  async delete(ctx: Context, key: PersonInput): Promise<Person> {
    const project = await authorize(ctx, 'person.delete', key.projectId);
    const scope = { projectId: project.id, environment: key.environment };
    const named = { ...scope, distinctId: storableText(key.distinctId) };
    // The ids changed during the deletion once: now nobody may change them until it is done.
    if (ctx.isAgain) await lockIdentitiesOf(ctx.em, scope);
    const stored = await this.personOf(ctx, named);
    const person = stored ?? (await this.personOfTraces(ctx, named));
    if (!person) throw peopleFailure('person_not_found');
    const ids = stored ? await this.idsOf(ctx, stored.id) : [named.distinctId];
    await this.lists.forgetIds(ctx, project, ids);
    await this.erasures.begin(ctx, { ...scope, ids });
    this.events.emit(ctx, 'ingest.person.deleted', {
      organizationId: project.organizationId,
      ...scope,
      object: { type: 'person', id: person.id },
      data: { person_id: person.id },
      before: { person_id: person.id, ids: ids.length },
    });
    await ctx.em.flush();
    // Last: from here to the commit nobody else changes identities. It fails if the ids have changed by now, and all of this is repeated.
    if (stored) await deleteIdentity(ctx.em, scope, stored.id, ids);
    return person;
  }

  private async personOf(ctx: Context, { projectId, environment, distinctId }: PersonInput): Promise<Person | null> {
    const [row] = await ctx.em.execute<{ person_id: string }[]>(
      'select person_id from person_id where project_id = ? and environment = ? and distinct_id = ?',
      [projectId, environment, storableText(distinctId)],
    );
    return row ? ctx.em.findOne(Person, { id: row.person_id }) : null;
  }

  /** A person, not stored anywhere, for an id that only appeared in events, crashes or survey responses. */
  private async personOfTraces(ctx: Context, { distinctId, ...scope }: PersonInput): Promise<Person | null> {
    const events = await ctx.em.execute<object[]>(
      'select from event where project_id = ? and environment = ? and distinct_id = ? limit 1',
      [scope.projectId, scope.environment, distinctId],
    );
    const isKnown = events.length > 0 || (await this.erasures.isKnownElsewhere(ctx, { ...scope, ids: [distinctId] }));
    if (!isKnown) return null;
    const [createdAt, updatedAt] = [ctx.now(), ctx.now()];
    const person = { id: newPrefixedId('prs'), ...scope, properties: {}, createdAt, updatedAt };
    return ctx.em.create(Person, person, { persist: false });
  }

  private async idsOf(ctx: Context, personId: string): Promise<string[]> {
    const rows = await ctx.em.execute<{ distinct_id: string }[]>(
      'select distinct_id from person_id where person_id = ?',
      [personId],
    );
    return rows.map(({ distinct_id }) => distinct_id);
  }
}
