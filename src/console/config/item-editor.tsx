import { Stack, Textarea } from '@mantine/core';
import { type ItemWholeFragment, UpdateConfigItemDocument } from '#documents';
import { useChange } from '../data/use-document.js';
import { FaultsContext } from '../editor/faults.js';
import { JsonEditor } from '../editor/json-editor.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { typing } from '../parts/fields/typing.js';
import { Panel } from '../parts/page.js';
import { WhoMay } from '../parts/who-may.js';
import { AudienceSize } from '../rules/audience-size.js';
import { RuleList } from '../rules/rule-list.js';
import { itemDraftOf, itemInputOf, itemPartsOf } from './item-draft.js';
import { JsonValue } from './json-value.js';
import { faultOf, ValueInput } from './value-input.js';

/** Edits an item's value, rules, schema and description, with one save for all. */
export function ItemEditor({ item }: { item: ItemWholeFragment }) {
  const [update] = useChange(UpdateConfigItemDocument, { quiet: true });
  const draft = useDraft({
    stored: itemDraftOf(item),
    version: item.currentVersion,
    input: itemInputOf,
    parts: itemPartsOf(item.type),
    save: (changed, expectedVersion, note) =>
      update({ input: { id: item.id, expectedVersion, ...(note ? { note } : {}), ...changed } }),
  });
  const { value, change, faultAt } = draft;
  const { type } = item;
  const may = item.viewerCan.includes('config_item_change');
  const disabled = !may || item.isArchived;
  const schemaFault = value.jsonSchema.trim() === '' ? undefined : faultOf('json', value.jsonSchema);
  return (
    <FaultsContext value={faultAt}>
      <Stack gap={0}>
        <WhoMay may={may} weakest="editor" to="change the item" />
        <Panel title="Value when no rule applies">
          {type === 'json' ? (
            <JsonValue
              value={value.value}
              schema={value.jsonSchema}
              onChange={(text) => change({ value: text })}
              disabled={disabled}
              error={faultAt(value, 'value')}
            />
          ) : (
            <ValueInput
              type={type}
              value={value.value}
              onChange={(text) => change({ value: text })}
              label="Value"
              error={faultAt(value, 'value')}
              disabled={disabled}
            />
          )}
        </Panel>
        <Panel title="Rules" aside={<AudienceSize rules={value.rules} salt={item.key} />}>
          <RuleList
            rules={value.rules}
            disabled={disabled}
            serves={(text, onChange, label, error) => (
              <ValueInput
                type={type}
                value={text}
                onChange={onChange}
                label={label}
                error={error}
                disabled={disabled}
              />
            )}
            firstServes={value.value}
            onChange={(rules) => change({ rules })}
          />
        </Panel>
        <Panel title="About">
          <Stack gap="sm">
            <Textarea
              label="Description"
              autosize
              minRows={1}
              {...typing(value.description, (description) => change({ description }))}
              error={faultAt(value, 'description')}
              disabled={disabled}
            />
            <JsonEditor
              label="JSON Schema"
              description="Draft 2020-12. Every value, including those in rules, must satisfy it. Leave empty for none."
              value={value.jsonSchema}
              onChange={(jsonSchema) => change({ jsonSchema })}
              disabled={disabled}
              error={schemaFault ?? faultAt(value, 'jsonSchema')}
            />
          </Stack>
        </Panel>
        <SaveBar
          draft={draft}
          latest={item.latest.nodes[0]}
          fault={schemaFault ? "The JSON Schema isn't valid JSON." : undefined}
        />
      </Stack>
    </FaultsContext>
  );
}
