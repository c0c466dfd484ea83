import { Field, ObjectType, Resolver } from 'type-graphql';
import type { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { ChangeFields, changeOf, EventSubscription } from '../../access/graph/event-subscription.js';
import { Survey } from './survey.entity.js';
import type { SurveyService } from './survey.service.js';

@ObjectType({ description: 'A survey was created, changed, published, closed, archived or unarchived.' })
export class SurveyChange extends ChangeFields {
  @Field(() => Survey, { nullable: true, description: 'As it is now.' })
  survey!: Survey;
}

@Resolver()
export class SurveyChangesResolver {
  constructor(private readonly surveys: SurveyService) {}

  @EventSubscription(() => SurveyChange, {
    kinds: /^pulse\.survey\./,
    action: 'pulse.survey.view',
    description: 'A survey was created, changed, published, closed, archived or unarchived.',
  })
  async surveyChanged(event: StoredEvent, ctx: Context): Promise<SurveyChange> {
    return { ...changeOf(event), survey: await this.surveys.get(ctx, event.objectId) };
  }
}
