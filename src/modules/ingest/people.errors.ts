import { defineFailures } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';
import type { PredicateProblem } from './cohorts/cohort-predicate.js';

/** Failures of persons, cohorts and counts, which only GraphQL meets. */
export const peopleFailure = defineFailures(
  {
    person_not_found: () => 'Nobody is known by this id; list or search the people of the project.',
    no_merge: () => 'No merge of this id can be undone; look at the merges of the person first.',
    event_not_found: () => 'No event with this id is visible to you; list the events of the project.',
    warning_not_found: () => 'No warning with this id is visible to you; list the ingestion warnings of the project.',
    cohort_not_found: () => 'No cohort with this id is visible to you; list the cohorts of the project.',
    cohort_name_taken: ({ name }: { name: string }) =>
      `The project already has a cohort called ${name}; choose another name.`,
    bad_cohort_name: () => 'A cohort has a name of 1 to 200 characters.',
    bad_cohort: () => 'A cohort is either a predicate, or a list of ids, rules, or both.',
    bad_predicate: ({ position, expected }: PredicateProblem) =>
      `The predicate goes wrong at character ${position + 1}: expected ${expected}.`,
    bad_audience: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    bad_time_range: () => 'from must come before to, and both lie between January 8, 1970 and the end of 2105.',
    too_many_intervals: ({ most }: { most: number }) =>
      `The time has more than ${most} intervals; ask for a shorter time or a longer interval.`,
  },
  {
    cohort_name_taken: 'name',
    bad_cohort_name: 'name',
    bad_cohort: 'predicate',
    bad_predicate: 'predicate',
    bad_time_range: 'from',
    too_many_intervals: 'interval',
  },
);
