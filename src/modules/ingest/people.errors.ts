import { defineFailures } from '../../kernel/errors.js';
import type { Problem } from '../../targeting/rules/rule-problems.js';
import type { PredicateProblem } from './cohorts/cohort-predicate.js';

/** Failures of persons, cohorts and counts, which only occur in GraphQL. */
export const peopleFailure = defineFailures(
  {
    person_not_found: () => 'No person is known by this id. List or search the persons of the project.',
    no_merge: () => 'No merge of this id can be undone. Check the merges of the person first.',
    event_not_found: () => 'No event with this id is visible to you. List the events of the project.',
    warning_not_found: () => 'No warning with this id is visible to you. List the ingestion warnings of the project.',
    cohort_not_found: () => 'No cohort with this id is visible to you. List the cohorts of the project.',
    cohort_name_taken: ({ name }: { name: string }) =>
      `The project already has a cohort named ${name}. Choose another name.`,
    bad_cohort_name: () => 'A cohort must have a name of 1 to 200 characters.',
    bad_cohort: () => 'A cohort must have either a predicate, or a list of ids, rules, or both.',
    bad_predicate: ({ position, expected }: PredicateProblem) =>
      `The predicate is invalid at character ${position + 1}: expected ${expected}.`,
    bad_audience: ({ problems }: { problems: Problem[] }) =>
      problems.map(({ path, problem }) => `${path} ${problem}`).join('; '),
    bad_time_range: () => 'from must be before to, and both must be between January 8, 1970 and the end of 2105.',
    too_many_intervals: ({ most }: { most: number }) =>
      `The time range has more than ${most} intervals. Choose a shorter range or a longer interval.`,
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
