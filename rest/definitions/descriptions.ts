import { IfNoneMatch } from '../field-schemas.js';
import { decided } from '../handshake/descriptions.js';
import { describe } from '../openapi/description.js';
import { DefinitionsAnswer } from './schemas.js';

export const getDefinitions = describe({
  id: 'getDefinitions',
  tag: 'Decisions',
  summary: 'Get the definitions of flags and config items',
  details:
    'For servers that make decisions in their own process. The response contains every rule and the ids it names: never use such a key in a browser or an app.',
  headers: IfNoneMatch,
  answers: decided('All flags, including archived ones, and the active config items.', DefinitionsAnswer),
  failures: ['quota_exceeded'],
});
