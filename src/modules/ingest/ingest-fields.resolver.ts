import { GraphQLJSON } from 'graphql-scalars';
import { FieldResolver, Resolver, Root } from 'type-graphql';

import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { hasRole } from '../access/guard.js';
import { Cohort } from './cohorts/cohort.entity.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import { maskEmailsIn } from './people/email-mask.js';
import { Person } from './people/person.entity.js';
import { personIdsLoader, personLoader, personMergesLoader } from './people/person-loaders.js';
import { PersonMerge } from './people/person-merge.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import { WARNING_REASONS } from './warnings/warning-reasons.js';

/** The value as this caller may see it: e-mail addresses are for Editors (decisions 5). */
async function shown<T>(operation: OperationContext, projectId: string, value: T): Promise<T> {
  if (await hasRole(operation.current, projectId, 'editor')) return value;
  return maskEmailsIn(value) as T;
}

@Resolver(() => AnalyticsEvent)
export class AnalyticsEventFields {
  @FieldResolver(() => String)
  distinctId(@Root() event: AnalyticsEvent, @Operation() operation: OperationContext): Promise<string> {
    return shown(operation, event.projectId, event.distinctId);
  }

  @FieldResolver(() => GraphQLJSON)
  properties(@Root() event: AnalyticsEvent, @Operation() operation: OperationContext): Promise<unknown> {
    return shown(operation, event.projectId, event.properties);
  }

  @FieldResolver(() => Person, {
    nullable: true,
    description: 'Null while no people or alias operation came for the id.',
  })
  person(@Root() event: AnalyticsEvent, @Operation() operation: OperationContext): Promise<Person | null> {
    return personLoader(operation).load(event);
  }
}

@Resolver(() => Person)
export class PersonFields {
  @FieldResolver(() => GraphQLJSON)
  properties(@Root() person: Person, @Operation() operation: OperationContext): Promise<unknown> {
    return shown(operation, person.projectId, person.properties);
  }

  @FieldResolver(() => [String], { description: 'All ids, oldest first.' })
  async distinctIds(@Root() person: Person, @Operation() operation: OperationContext): Promise<string[]> {
    return shown(operation, person.projectId, await personIdsLoader(operation).load(person.id));
  }

  @FieldResolver(() => [PersonMerge], { description: 'Aliases that took effect, newest first.' })
  merges(@Root() person: Person, @Operation() operation: OperationContext): Promise<PersonMerge[]> {
    return personMergesLoader(operation).load(person.id);
  }
}

@Resolver(() => PersonMerge)
export class PersonMergeFields {
  @FieldResolver(() => String, { description: 'The id that was made an alias.' })
  aliasId(@Root() merge: PersonMerge, @Operation() operation: OperationContext): Promise<string> {
    return shown(operation, merge.projectId, merge.aliasId);
  }

  @FieldResolver(() => String, { description: 'The id that was kept.' })
  distinctId(@Root() merge: PersonMerge, @Operation() operation: OperationContext): Promise<string> {
    return shown(operation, merge.projectId, merge.distinctId);
  }

  @FieldResolver(() => [String], { description: 'Ids that came with the alias.' })
  mergedIds(@Root() merge: PersonMerge, @Operation() operation: OperationContext): Promise<string[]> {
    return shown(operation, merge.projectId, merge.mergedIds);
  }

  @FieldResolver(() => GraphQLJSON, { description: 'Properties that the alias had before.' })
  mergedProperties(@Root() merge: PersonMerge, @Operation() operation: OperationContext): Promise<unknown> {
    return shown(operation, merge.projectId, merge.mergedProperties);
  }
}

@Resolver(() => Cohort)
export class CohortFields {
  @FieldResolver(() => String, { nullable: true })
  predicate(@Root() cohort: Cohort, @Operation() operation: OperationContext): Promise<string | null> {
    return shown(operation, cohort.projectId, cohort.predicate);
  }

  @FieldResolver(() => [String], { nullable: true })
  distinctIds(@Root() cohort: Cohort, @Operation() operation: OperationContext): Promise<string[] | null> {
    return shown(operation, cohort.projectId, cohort.distinctIds);
  }
}

@Resolver(() => IngestionWarning)
export class IngestionWarningFields {
  @FieldResolver(() => Number, { description: 'How many operations.' })
  count(@Root() warning: IngestionWarning): number {
    return Number(warning.count);
  }

  @FieldResolver(() => String, { description: 'What the reason means.' })
  explanation(@Root() warning: IngestionWarning): string {
    return WARNING_REASONS[warning.reason] ?? warning.reason;
  }
}
