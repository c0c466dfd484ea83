import { describe } from '../openapi/description.js';
import { FlagAnswer, FlagParams } from './schemas.js';

export const haltFlag = describe({
  id: 'haltFlag',
  tag: 'Flags',
  summary: 'Halt a flag',
  details:
    'The flag serves its default value from now on. Halting it again changes nothing, so retries are safe; two attempts, a second apart, are recommended.',
  answers: { 200: { description: 'The halted flag.', schema: FlagAnswer } },
  failures: [
    'invalid_body',
    'halt_flag_key_required',
    'halt_reason_required',
    'halt_bad_environment',
    'switch_disabled',
    'flag_not_found',
  ],
});

export const resumeFlag = describe({
  id: 'resumeFlag',
  tag: 'Flags',
  summary: 'Resume a halted flag',
  details:
    'The rules apply again. Resuming a flag that is not halted changes nothing. A project key cannot resume a flag.',
  params: FlagParams,
  answers: { 200: { description: 'The resumed flag.', schema: FlagAnswer } },
  failures: ['permission_denied', 'flag_not_found'],
});
