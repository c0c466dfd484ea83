import { Stack, Text, Textarea } from '@mantine/core';
import { Fragment } from 'react';
import { type FlagWholeFragment, UpdateFlagDocument } from '#documents';
import { useChange } from '../data/use-document.js';
import { FaultsContext } from '../editor/faults.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { Panel } from '../parts/page.js';
import { PageLink } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';
import { AudienceSize } from '../rules/audience-size.js';
import { RuleList } from '../rules/rule-list.js';
import { flagDraftOf, flagInputOf, prerequisiteFault, variantFault } from './flag-draft.js';
import { PrerequisiteList } from './prerequisite-list.js';
import { VariantList } from './variant-list.js';

/** Edits a flag's rules, prerequisites, default and variants, with one save for all. */
export function FlagEditor({ flag }: { flag: FlagWholeFragment }) {
  const [update] = useChange(UpdateFlagDocument, { quiet: true });
  const draft = useDraft({
    stored: flagDraftOf(flag),
    version: flag.currentVersion,
    input: flagInputOf,
    save: (changed, expectedVersion, note) =>
      update({ input: { flagId: flag.id, expectedVersion, ...(note ? { note } : {}), ...changed } }),
  });
  const { value, change, faultAt } = draft;
  const may = flag.viewerCan.includes('switch_flag_change');
  const disabled = !may || flag.isArchived;
  const keys = value.variants.map(({ key }) => key);
  const variantInput = (
    variant: string,
    onChange: (next: string) => void,
    label: string,
    error: string | undefined,
  ) => (
    <ChoiceSelect
      label={label}
      choices={[...new Set([...keys, variant])]}
      value={variant}
      onChange={onChange}
      error={error}
      disabled={disabled}
      w={150}
    />
  );
  return (
    <FaultsContext value={faultAt}>
      <Stack gap={0}>
        <WhoMay may={may} weakest="editor" to="change the flag" />
        <Panel title="Rules" aside={<AudienceSize rules={value.rules} salt={flag.key} />}>
          <RuleList
            rules={value.rules}
            disabled={disabled}
            serves={variantInput}
            firstServes={keys.find((key) => key !== value.defaultVariant) ?? value.defaultVariant}
            onChange={(rules) => change({ rules })}
          />
        </Panel>
        <Panel title="Prerequisites">
          <PrerequisiteList
            flagKey={flag.key}
            prerequisites={value.prerequisites}
            disabled={disabled}
            onChange={(prerequisites) => change({ prerequisites })}
          />
          {flag.neededBy.length > 0 && (
            <Text size="sm" mt="xs">
              Required by{' '}
              {flag.neededBy.map((key, at) => (
                <Fragment key={key}>
                  {at > 0 && ', '}
                  <PageLink to={['flags', key]} className="mono">
                    {key}
                  </PageLink>
                </Fragment>
              ))}
            </Text>
          )}
        </Panel>
        <Panel title="Everyone else">
          {variantInput(
            value.defaultVariant,
            (defaultVariant) => change({ defaultVariant }),
            'They get',
            faultAt(value, 'defaultVariant'),
          )}
        </Panel>
        {flag.kind === 'variant' && (
          <Panel title="Variants">
            <VariantList variants={value.variants} disabled={disabled} onChange={(variants) => change({ variants })} />
          </Panel>
        )}
        <Panel title="About">
          <Textarea
            label="Description"
            autosize
            minRows={2}
            {...typing(value.description, (description) => change({ description }))}
            error={faultAt(value, 'description')}
            disabled={disabled}
          />
        </Panel>
        <SaveBar
          draft={draft}
          fault={[...value.variants.map(variantFault), ...value.prerequisites.map(prerequisiteFault)].find(Boolean)}
          latest={flag.latest.nodes[0]}
        />
      </Stack>
    </FaultsContext>
  );
}
