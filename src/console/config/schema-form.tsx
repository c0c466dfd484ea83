import { ActionIcon, Button, Checkbox, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { moved, RemoveButton } from '../parts/fields/arrange.js';
import { NumberField } from '../parts/fields/number-field.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Muted } from '../parts/text.js';
import { type FormSchema, firstValue, NOT_GIVEN, titleOf, without } from './form-schema.js';

interface FieldProps {
  schema: FormSchema;
  value: unknown;
  label: string;
  required: boolean;
  disabled: boolean;
  onChange: (value: unknown) => void;
}

/** Edits a value by its JSON Schema: objects as groups, arrays as lists, enums as selects. Optional parts can be omitted. */
export function SchemaForm(props: FieldProps) {
  const { schema, value, label, required, disabled, onChange } = props;
  if (value === undefined && !required)
    return (
      <Group gap="xs">
        <Muted>{label}: not set</Muted>
        <Button variant="subtle" size="compact-xs" disabled={disabled} onClick={() => onChange(firstValue(schema))}>
          Set {label}
        </Button>
      </Group>
    );
  const field = <Field {...props} />;
  if (required) return field;
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <div className="grow">{field}</div>
      <ActionIcon aria-label={`Clear ${label}`} disabled={disabled} onClick={() => onChange(undefined)}>
        ×
      </ActionIcon>
    </Group>
  );
}

function Field(props: FieldProps) {
  const { schema, value, label, required, disabled, onChange } = props;
  const common = { label, description: schema.description, disabled, withAsterisk: required };
  if (schema.enum) {
    const texts = schema.enum.map((one) => JSON.stringify(one));
    const at = texts.indexOf(JSON.stringify(value));
    return (
      <Select
        {...common}
        data={schema.enum.map((one, index) => ({
          value: String(index),
          label: typeof one === 'string' ? one : JSON.stringify(one),
        }))}
        value={at < 0 ? null : String(at)}
        error={at < 0 ? 'Not one of the allowed values.' : undefined}
        onChange={(next) => next !== null && onChange(schema.enum?.[Number(next)])}
      />
    );
  }
  if (schema.type === 'boolean')
    return (
      <Checkbox
        label={label}
        description={schema.description}
        size="xs"
        checked={value === true}
        disabled={disabled}
        onChange={(e) => onChange(e.currentTarget.checked)}
      />
    );
  if (schema.type === 'integer' || schema.type === 'number')
    return (
      <NumberField
        {...common}
        value={typeof value === 'number' ? value : undefined}
        allowDecimal={schema.type === 'number'}
        {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
        {...(schema.maximum === undefined ? {} : { max: schema.maximum })}
        clampBehavior="none"
        trimLeadingZeroesOnBlur={false}
        error={numberFault(schema, value)}
        onChange={onChange}
        onEmpty={() => onChange(undefined)}
      />
    );
  if (schema.type === 'object') return <ObjectFields {...props} />;
  if (schema.type === 'array') return <ArrayItems {...props} />;
  const text = typeof value === 'string' ? value : '';
  const Input = text.includes('\n') || (schema.maxLength ?? 0) > 200 ? Textarea : TextInput;
  return <Input {...common} {...typing(text, onChange)} error={textFault(schema, text)} />;
}

function numberFault({ minimum, maximum }: FormSchema, value: unknown): string | undefined {
  if (typeof value !== 'number') return 'Must be a number.';
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}.`;
  return undefined;
}

/** JSON Schema counts characters; an emoji can be one character but several UTF-16 units. */
function textFault({ minLength, maxLength }: FormSchema, text: string): string | undefined {
  const { length } = [...text];
  if (minLength !== undefined && length < minLength) return `Must be at least ${minLength} characters.`;
  if (maxLength !== undefined && length > maxLength) return `Must be at most ${maxLength} characters.`;
  return undefined;
}

/** An object's properties in schema order; any others stay unchanged. */
function ObjectFields({ schema, value, label, disabled, onChange }: FieldProps) {
  const object = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const properties = schema.properties ?? {};
  const isRequired = (name: string): boolean => schema.required?.includes(name) ?? false;
  // The server doesn't preserve property order; required properties come first.
  const inOrder = Object.entries(properties).sort(
    ([one], [other]) => Number(isRequired(other)) - Number(isRequired(one)),
  );
  const others = Object.keys(object).filter((name) => !(name in properties));
  return (
    <fieldset className="fields">
      <legend>{label}</legend>
      <Stack gap="xs">
        {schema.description && <Muted size="xs">{schema.description}</Muted>}
        {inOrder.map(([name, part]) => (
          <SchemaForm
            key={name}
            schema={part}
            value={object[name]}
            label={titleOf(name, part)}
            required={isRequired(name)}
            disabled={disabled}
            onChange={(next) => onChange(next === undefined ? without(object, name) : { ...object, [name]: next })}
          />
        ))}
        {others.length > 0 && (
          <Muted size="xs">
            Only editable as text: <span className="mono">{others.join(', ')}</span>
          </Muted>
        )}
      </Stack>
    </fieldset>
  );
}

function ArrayItems({ schema, value, label, disabled, onChange }: FieldProps) {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const item = schema.items ?? NOT_GIVEN;
  const isFull = schema.maxItems !== undefined && items.length >= schema.maxItems;
  return (
    <fieldset className="fields">
      <legend>{label}</legend>
      <Stack gap="xs">
        {items.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity other than their position
          <Group key={at} gap={4} align="flex-end" wrap="nowrap">
            <div className="grow">
              <SchemaForm
                schema={item}
                value={one}
                label={`${label} ${at + 1}`}
                required
                disabled={disabled}
                onChange={(next) => onChange(items.map((before, index) => (index === at ? next : before)))}
              />
            </div>
            <ActionIcon
              aria-label={`Move ${label} ${at + 1} up`}
              disabled={disabled || at === 0}
              renderRoot={keepsFocus}
              onClick={() => onChange(moved(items, at, at - 1))}
            >
              ↑
            </ActionIcon>
            <RemoveButton
              what={`${label} ${at + 1}`}
              disabled={disabled}
              onClick={() => onChange(items.toSpliced(at, 1))}
            />
          </Group>
        ))}
        <Group>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={disabled || isFull}
            renderRoot={keepsFocus}
            onClick={() => onChange([...items, firstValue(item)])}
          >
            + {label}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}
