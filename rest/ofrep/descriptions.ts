import { IfNoneMatch } from '../field-schemas.js';
import { decided } from '../handshake/descriptions.js';
import { describe } from '../openapi/description.js';
import { OFREP_REFUSALS } from './refusals.js';
import { EvaluationQuery, EvaluationSchema, EvaluationsAnswer, FlagKeyParams } from './schemas.js';

const { PARSE_ERROR, INVALID_CONTEXT, TARGETING_KEY_MISSING, FLAG_NOT_FOUND } = OFREP_REFUSALS;

export const evaluateFlags = describe({
  id: 'evaluateFlags',
  tag: 'OpenFeature',
  summary: 'Evaluate all flags',
  query: EvaluationQuery,
  headers: IfNoneMatch,
  answers: decided('The evaluation of each flag, or why it could not be evaluated.', EvaluationsAnswer),
  failures: [['switch_disabled', { reason: 'module_disabled' }], 'quota_exceeded'],
  refusals: { PARSE_ERROR, INVALID_CONTEXT },
});

export const evaluateFlag = describe({
  id: 'evaluateFlag',
  tag: 'OpenFeature',
  summary: 'Evaluate one flag',
  params: FlagKeyParams,
  answers: { 200: { description: 'The evaluation.', schema: EvaluationSchema } },
  failures: [['switch_disabled', { reason: 'module_disabled' }], 'quota_exceeded'],
  refusals: { PARSE_ERROR, INVALID_CONTEXT, TARGETING_KEY_MISSING, FLAG_NOT_FOUND },
});
