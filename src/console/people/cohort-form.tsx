import { TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type CohortRowFragment, CreateCohortDocument, UpdateCohortDocument } from '#documents';
import { fieldFaults } from '../data/failures.js';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { changedOf } from '../editor/changed.js';
import { type Fault, FaultsContext, faultAtIn, faultIn } from '../editor/faults.js';
import { NameField } from '../parts/fields/name-field.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { draftsOf, inputOf } from '../rules/rule-draft.js';
import { CohortRules } from './cohort-rules.js';

export function CohortForm({ cohort, onClose }: { cohort: Partial<CohortRowFragment>; onClose: () => void }) {
  const { projectId } = useScope();
  const [name, setName] = useState(cohort.name ?? '');
  const [description, setDescription] = useState(cohort.description ?? '');
  const [predicate, setPredicate] = useState(cohort.predicate ?? '');
  const [ids, setIds] = useState(cohort.distinctIds ?? []);
  const [rules, setRules] = useState(() => draftsOf(cohort.rules ?? [], () => ({ serves: '', split: null })));
  const [create] = useChange(CreateCohortDocument, { quiet: true });
  const [update] = useChange(UpdateCohortDocument, { quiet: true });
  const who = predicate ? { predicate } : { distinctIds: ids, rules: rules.map(inputOf) };
  const input = { name, description, who };
  const [before] = useState(input);
  const send = () => {
    if (!cohort.id) return create({ input: { projectId, name, description, ...who } }, `${isolated(name)} created.`);
    const { who: members, ...changed } = changedOf(before, input);
    return update({ input: { id: cohort.id, ...changed, ...members } }, 'Saved.');
  };
  const draft = { name, description, rules, distinctIds: ids };
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const faultAt = faultAtIn(faults);
  const save = async () => {
    const answered = await send();
    const found = Object.entries(answered.error ? fieldFaults(answered.error) : {});
    setFaults(found.map(([path, message]) => faultIn(draft, path, message)));
    return answered;
  };
  return (
    <FormDialog
      title={cohort.id ? (cohort.name ?? '') : 'New cohort'}
      action={'Save'}
      isWide
      save={save}
      onClose={onClose}
    >
      {(faultOf) => (
        <>
          <NameField value={name} onChange={setName} error={faultOf('name')} />
          <TextInput label="Description" {...typing(description, setDescription)} error={faultOf('description')} />
          {predicate === '' && (
            <FaultsContext value={faultAt}>
              <CohortRules rules={rules} onChange={setRules} />
            </FaultsContext>
          )}
          <TagsInput
            label="Distinct ids"
            value={ids}
            onChange={setIds}
            disabled={predicate !== ''}
            error={faultAt(draft, 'distinctIds')}
            acceptValueOnBlur
          />
          <TextInput
            label="Predicate"
            description={'Instead of rules and ids, for example props.plan = "pro", AND(…), OR(…).'}
            {...typing(predicate, setPredicate)}
            error={faultOf('predicate')}
            className="mono"
          />
        </>
      )}
    </FormDialog>
  );
}
