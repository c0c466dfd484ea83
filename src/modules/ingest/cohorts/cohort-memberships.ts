import type { Pool } from 'pg';
import type { Environment } from '../../../kernel/actor.js';
import type { Clock } from '../../../kernel/clock.js';
import { storableText } from '../../../kernel/text.js';
import { type CohortPredicate, parseCohortPredicate, satisfies } from './cohort-predicate.js';

/** A changed cohort is in force everywhere within 5 s even when its message was lost. */
const FRESH_MS = 4_000;
const MOST_PROJECTS = 10_000;

/** How the members of a cohort are told from others. */
export interface CohortMembers {
  readonly predicate: CohortPredicate | null;
  readonly ids: ReadonlySet<string> | null;
}

interface Definition extends CohortMembers {
  readonly name: string;
}

/** Cohorts in alphabetical order. */
export interface PersonFacts {
  cohorts: ReadonlySet<string>;
  properties: ReadonlyMap<string, unknown>;
}

interface Entry {
  readAt: number;
  definitions: Promise<Definition[]>;
}

/** A person as it is stored. */
export interface PersonRow {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly ids: readonly string[];
}

/** Which cohorts somebody is in. On the path of the handshake: definitions are cached. */
export class CohortMemberships {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly clock: Clock,
  ) {}

  /** What decisions need to know of a person, by any of its ids. An id that nobody knows is only in lists that name it. */
  async factsOf(projectId: string, environment: Environment, distinctId: string): Promise<PersonFacts> {
    const definitions = await this.definitions(projectId);
    const { rows } = await this.pool.query<PersonRow>(
      `select p.properties, array(select distinct_id from person_id where person_id = p.id) as ids
         from person_id i join person p on p.id = i.person_id
        where i.project_id = $1 and i.environment = $2 and i.distinct_id = $3`,
      [projectId, environment, storableText(distinctId)],
    );
    return factsFrom(definitions, rows[0] ?? { properties: {}, ids: [distinctId] });
  }

  /** Tells what decisions need to know of persons of a project that were read already. */
  async factsFinder(projectId: string): Promise<(person: PersonRow) => PersonFacts> {
    const definitions = await this.definitions(projectId);
    return (person) => factsFrom(definitions, person);
  }

  /** How the members of each cohort of a project are told from others, by name. */
  async members(projectId: string): Promise<ReadonlyMap<string, CohortMembers>> {
    return new Map((await this.definitions(projectId)).map((definition) => [definition.name, definition]));
  }

  async hasCohorts(projectId: string): Promise<boolean> {
    return (await this.definitions(projectId)).length > 0;
  }

  /** Drops what was read of a project, or of all. */
  forget(projectId: string | null): void {
    if (projectId === null) this.entries.clear();
    else this.entries.delete(projectId);
  }

  private definitions(projectId: string): Promise<Definition[]> {
    const now = this.clock.now().getTime();
    const known = this.entries.get(projectId);
    if (known && now >= known.readAt && now - known.readAt < FRESH_MS) return known.definitions;
    const definitions = this.read(projectId);
    const entry = { readAt: now, definitions };
    definitions.catch(() => this.entries.get(projectId) === entry && this.entries.delete(projectId));
    if (this.entries.size >= MOST_PROJECTS) this.entries.clear();
    this.entries.set(projectId, entry);
    return definitions;
  }

  private async read(projectId: string): Promise<Definition[]> {
    const { rows } = await this.pool.query<{ name: string; predicate: string | null; distinct_ids: string[] | null }>(
      'select name, predicate, distinct_ids from cohort where project_id = $1 order by name',
      [projectId],
    );
    return rows.map(({ name, predicate, distinct_ids }) => {
      const parsed = predicate === null ? null : parseCohortPredicate(predicate);
      return {
        name,
        predicate: parsed && 'predicate' in parsed ? parsed.predicate : null,
        ids: distinct_ids && new Set(distinct_ids),
      };
    });
  }
}

function factsFrom(definitions: readonly Definition[], { properties, ids }: PersonRow): PersonFacts {
  const joined = definitions.filter(({ predicate, ids: listed }) =>
    predicate ? satisfies(predicate, properties) : ids.some((id) => listed?.has(id)),
  );
  return { cohorts: new Set(joined.map(({ name }) => name)), properties: new Map(Object.entries(properties)) };
}
