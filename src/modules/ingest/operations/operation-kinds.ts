import { isoTime } from '../../../kernel/values/iso-time.js';
import { Shape } from '../../../kernel/values/json-bytes.js';
import { eventTimeAt } from './event-time.js';
import { FIELD, FIELD_NAMES, type FieldName, type PayloadFields } from './payload-fields.js';

/** A jsonb value, which people's properties become, can't be larger: 2^28 − 1 bytes, less room for its own structure. */
export const MAX_PROPERTIES_BYTES = 250 * 1024 * 1024;

interface FieldRule {
  field: number;
  shape: Shape;
  required: boolean;
  accepts?: (fields: PayloadFields, field: number) => boolean;
}

export type OperationType = 'track' | 'people' | 'alias';

/** One kind of ingestion operation (docs/rest.md, Ingestion): its fields and the ids that the garbage heuristic checks. */
export interface OperationKind {
  type: OperationType;
  typeBytes: Buffer;
  rules: readonly FieldRule[];
  ids: readonly number[];
}

const required = (name: FieldName, accepts?: FieldRule['accepts']): FieldRule => ({
  field: FIELD[name],
  shape: Shape.string,
  required: true,
  ...(accepts && { accepts }),
});
const optional = (name: FieldName, shape: Shape, accepts?: FieldRule['accepts']): FieldRule => ({
  field: FIELD[name],
  shape,
  required: false,
  ...(accepts && { accepts }),
});

const notEmpty = (fields: PayloadFields, field: number): boolean => !fields.isEmpty(field);
const storable = (fields: PayloadFields, field: number): boolean =>
  fields.to(field) - fields.from(field) <= MAX_PROPERTIES_BYTES;
const isTime = (fields: PayloadFields, field: number): boolean => {
  fields.occurredAt = fields.isPlain(field)
    ? eventTimeAt(fields.buf, fields.from(field), fields.to(field))
    : isoTime(fields.text(field));
  return !Number.isNaN(fields.occurredAt);
};

const kind = (type: OperationType, rules: FieldRule[], ids: FieldName[]): OperationKind => ({
  type,
  typeBytes: Buffer.from(type),
  rules,
  ids: ids.map((name) => FIELD[name]),
});

export const TRACK = kind(
  'track',
  [
    required('event_name', notEmpty),
    required('distinct_id'),
    optional('properties', Shape.object, storable),
    optional('timestamp', Shape.string, isTime),
    optional('insert_id', Shape.string),
  ],
  ['distinct_id'],
);
export const PEOPLE = kind(
  'people',
  [required('distinct_id'), optional('properties', Shape.object, storable)],
  ['distinct_id'],
);
export const ALIAS = kind('alias', [required('alias_id'), required('distinct_id')], ['alias_id', 'distinct_id']);

export const OPERATION_KINDS: readonly OperationKind[] = [TRACK, PEOPLE, ALIAS];

/** The field that makes a payload not parse as this kind's shape (docs/rest.md, Ingestion): missing, or of a wrong JSON type. */
export const faultyField = (kind: OperationKind, fields: PayloadFields): FieldName | null => {
  for (const rule of kind.rules) {
    const shape = fields.shape(rule.field);
    const isFaulty =
      shape === Shape.absent
        ? rule.required
        : shape !== rule.shape || (rule.accepts !== undefined && !rule.accepts(fields, rule.field));
    if (isFaulty) return FIELD_NAMES[rule.field] as FieldName;
  }
  return null;
};

/** Whether the payload parses as this kind's shape. */
export const isValidPayload = (kind: OperationKind, fields: PayloadFields): boolean =>
  faultyField(kind, fields) === null;
