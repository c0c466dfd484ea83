import { Field, Int, ObjectType } from 'type-graphql';
import { Flag } from '../flags/flag.entity.js';

@ObjectType({ description: 'What a halt would do to one flag.' })
export class HaltConsequence {
  @Field(() => Flag)
  flag!: Flag;

  @Field(() => Boolean, { description: 'Whether it would serve its default to everyone.' })
  servesDefault!: boolean;

  @Field(() => Int, { description: 'Stored persons who would get a different variant than now.' })
  persons!: number;
}

@ObjectType({
  description:
    'What a halt would do, for persons as stored, without data known only from requests, such as the platform.',
})
export class HaltPreview {
  @Field(() => [HaltConsequence], { description: 'The flag itself first, then those that depend on it, by key.' })
  consequences!: readonly HaltConsequence[];

  @Field(() => Int, { description: 'Stored persons of the environment.' })
  persons!: number;

  @Field(() => Boolean, { description: 'Whether the numbers are estimated from a sample.' })
  isEstimate!: boolean;
}
