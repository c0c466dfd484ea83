import { ArgsType, Field } from 'type-graphql';
import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { decisionsFailure } from './decisions.errors.js';

export const USAGE_INTERVALS = ['hour', 'day'] as const;
export type UsageInterval = (typeof USAGE_INTERVALS)[number];
export const UsageIntervalType = enumType('UsageInterval', USAGE_INTERVALS, { description: 'In UTC.' });

const MOST_INTERVALS = 200;
const MILLISECONDS: Record<UsageInterval, number> = { hour: HOUR_MS, day: DAY_MS };

@ArgsType()
export class UsageArgs {
  @Field(() => Date, {
    nullable: true,
    description: 'Defaults to a day before `to`; extended to the start of its interval.',
  })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Defaults to now; extended to the end of its interval.' })
  to?: Date | null;

  @Field(() => UsageIntervalType, { defaultValue: 'hour' })
  interval!: UsageInterval;
}

export interface UsageTime {
  readonly from: Date;
  readonly to: Date;
  readonly interval: UsageInterval;
  readonly milliseconds: number;
  readonly intervals: number;
}

/** The intervals for the arguments. Fails with `bad_usage_time`. */
export function usageTime({ from, to, interval }: UsageArgs, now: Date): UsageTime {
  const milliseconds = MILLISECONDS[interval];
  const end = to?.getTime() ?? now.getTime() + 1;
  const begin = from?.getTime() ?? end - MILLISECONDS.day;
  const [first, last] = [Math.floor(begin / milliseconds), Math.ceil(end / milliseconds)];
  if (!(begin < end) || last - first > MOST_INTERVALS)
    throw decisionsFailure('bad_usage_time', { most: MOST_INTERVALS });
  return {
    from: new Date(first * milliseconds),
    to: new Date(last * milliseconds),
    interval,
    milliseconds,
    intervals: last - first,
  };
}
