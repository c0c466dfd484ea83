import { Field, Int, ObjectType } from 'type-graphql';
import { Flag } from '../flags/flag.entity.js';
import type { HaltConsequence, HaltPreview } from './halt-preview.service.js';

@ObjectType('HaltConsequence', { description: 'What a halt would do to one flag.' })
class HaltConsequenceType implements HaltConsequence {
  @Field(() => Flag)
  flag!: Flag;

  @Field(() => Boolean, { description: 'Whether it would serve its default to everybody.' })
  servesDefault!: boolean;

  @Field(() => Int, { description: 'Stored persons who would be served another variant than now.' })
  persons!: number;
}

@ObjectType('HaltPreview', {
  description:
    'What a halt would do, for persons as they are stored: what only a request says, such as the platform, is absent.',
})
export class HaltPreviewType implements HaltPreview {
  @Field(() => [HaltConsequenceType], { description: 'The flag itself first, then those that depend on it, by key.' })
  consequences!: readonly HaltConsequence[];

  @Field(() => Int, { description: 'Stored persons of the environment.' })
  persons!: number;

  @Field(() => Boolean, { description: 'Whether persons were counted in a sample.' })
  isEstimate!: boolean;
}
