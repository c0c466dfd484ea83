import { FieldResolver, Resolver, Root } from 'type-graphql';
import { RedactedBelowEditor } from '../../kernel/email-redaction.js';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { AnalyticsEvent } from './events/analytics-event.js';
import { Person } from './people/person.entity.js';
import { personIdsLoader, personLoader, personMergesLoader } from './people/person-loaders.js';
import { PersonMerge } from './people/person-merge.entity.js';
import { IngestionWarning } from './warnings/ingestion-warning.entity.js';
import { WARNING_REASONS } from './warnings/warning-reasons.js';

@Resolver(() => AnalyticsEvent)
export class AnalyticsEventFields {
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
  @FieldResolver(() => [String], { description: 'All ids, oldest first.' })
  @RedactedBelowEditor()
  distinctIds(@Root() person: Person, @Operation() operation: OperationContext): Promise<string[]> {
    return personIdsLoader(operation).load(person.id);
  }

  @FieldResolver(() => [PersonMerge], { description: 'Aliases that took effect, newest first.' })
  merges(@Root() person: Person, @Operation() operation: OperationContext): Promise<PersonMerge[]> {
    return personMergesLoader(operation).load(person.id);
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
