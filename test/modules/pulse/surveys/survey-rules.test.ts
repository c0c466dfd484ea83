import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSlug, slugFrom } from '../../../../src/modules/pulse/surveys/slug.js';
import {
  mayTransition,
  SURVEY_STATUSES,
  SURVEY_TRANSITIONS,
  type SurveyTransition,
} from '../../../../src/modules/pulse/surveys/survey-statuses.js';

const rules = suite('statuses and slugs of surveys');

rules('each transition starts from the statuses listed here, and from no other', () => {
  const allowed = (Object.keys(SURVEY_TRANSITIONS) as SurveyTransition[]).flatMap((transition) =>
    SURVEY_STATUSES.filter((status) => mayTransition(transition, status)).map((status) => `${status} ${transition}`),
  );
  assert.equal(allowed.sort(), [
    'archived unarchive',
    'closed archive',
    'closed publish',
    'draft archive',
    'draft publish',
    'published archive',
    'published close',
  ]);
});

rules('a slug is lower-case words, short, and never looks like an id', () => {
  for (const slug of ['a', 'nps-2026', 'q1_review', '7']) assert.ok(isSlug(slug), slug);
  for (const slug of ['', 'A', 'a b', '-a', 'a-', 'a--b', 'psv_1', 'ä', 'a/b', 'a\n', 'x'.repeat(101)])
    assert.not(isSlug(slug), slug);
});

rules('a slug is derived from the name', () => {
  assert.is(slugFrom('How did we do, Zoë?'), 'how-did-we-do-zoe');
  assert.is(slugFrom('調査'), 'survey');
  assert.ok(isSlug(slugFrom('x '.repeat(500))));
  assert.ok(isSlug(slugFrom('PSV_test')));
});

rules.run();
