import { IfNoneMatch } from '../field-schemas.js';
import { decided } from '../handshake/descriptions.js';
import { describe } from '../openapi/description.js';
import { DefinitionsAnswer } from './schemas.js';

export const getDefinitions = describe({
  id: 'getDefinitions',
  tag: 'Decisions',
  summary: 'Get what flags and config items are decided by',
  details:
    'For servers that decide in their own process. It reveals every rule and whom it names: never give such a key to a browser or an app.',
  headers: IfNoneMatch,
  answers: decided('All flags, archived ones too, and the config items in use.', DefinitionsAnswer),
  failures: ['quota_exceeded'],
});
