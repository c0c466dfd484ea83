import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CreateOrganizationDocument, OrganizationsDocument, UpdateOrganizationDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { organizationRefusalOf, useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Dialog } from '../parts/dialog.js';
import { NameField } from '../parts/fields/name-field.js';
import { NewByName } from '../parts/fields/new-by-name.js';
import { FormDialog } from '../parts/form-dialog.js';
import { useHasUnsaved } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';
import { SignInForm } from '../sign-in/sign-in-form.js';

interface Organization {
  id: string;
  name: string;
}

/** The organizations that the viewer's password opens, a way into each, and a form to create another. */
export function Organizations({ onClose }: { onClose: () => void }) {
  const [chosen, choose] = useState<Organization>();
  return (
    <Dialog title={chosen ? `Switch to ${chosen.name}` : 'Organizations'} onClose={onClose}>
      {chosen ? <Entrance to={chosen} back={() => choose(undefined)} /> : <OrganizationList choose={choose} />}
    </Dialog>
  );
}

function OrganizationList({ choose }: { choose: (organization: Organization) => void }) {
  const { organization, organizationRole } = useScope();
  const mayRename = useMay('organization_update');
  const [renamed, rename] = useState<Organization | null>(null);
  const { data, error } = useDocument(OrganizationsDocument, {});
  return (
    <Stack gap="sm">
      <Muted>
        Each organization has its own members, projects and passwords. This list shows the current one and those you
        created with the same password. To open any other, sign in with your password for it.
      </Muted>
      {!data?.organizations && <WaitingRows rows={2} error={error} />}
      <table className="plain-table">
        <tbody>
          {data?.organizations?.nodes.map(({ id, name }) => (
            <tr key={id}>
              <td>
                <bdi>{name}</bdi>
              </td>
              <td align="right">
                {id === organization.id ? (
                  <Group gap="sm" justify="flex-end">
                    <Muted>You are here</Muted>
                    <Permitted
                      may={mayRename}
                      because={organizationRefusalOf(organizationRole)}
                      variant="default"
                      size="compact-xs"
                      aria-label={`Rename ${name}`}
                      onClick={() => rename({ id, name })}
                    >
                      Rename
                    </Permitted>
                  </Group>
                ) : (
                  <Button
                    variant="default"
                    size="compact-xs"
                    aria-label={`Switch to ${name}`}
                    onClick={() => choose({ id, name })}
                  >
                    Switch
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <NewOrganization onCreated={choose} />
      {renamed && <Rename organization={renamed} onClose={() => rename(null)} />}
    </Stack>
  );
}

function Rename({ organization, onClose }: { organization: Organization; onClose: () => void }) {
  const [name, setName] = useState(organization.name);
  const [update] = useChange(UpdateOrganizationDocument, { quiet: true });
  return (
    <FormDialog
      title={`Rename ${organization.name}`}
      action="Save"
      main="name"
      save={() => update({ input: { id: organization.id, name } }, 'Saved.')}
      onClose={onClose}
    >
      {(faultOf) => <NameField value={name} onChange={setName} error={faultOf('name')} />}
    </FormDialog>
  );
}

function NewOrganization({ onCreated }: { onCreated: (organization: Organization) => void }) {
  const may = useMay('organization_create');
  const [create, creating] = useChange(CreateOrganizationDocument);
  const make = async (name: string) => {
    const { data } = await create({ input: { name } }, `${isolated(name)} created. You're its owner.`);
    if (data?.createOrganization) onCreated(data.createOrganization);
    return Boolean(data?.createOrganization);
  };
  return (
    <WhoMay may={may} weakest="owner" to="create another organization" isOfOrganization>
      <NewByName label="New organization" action="Create" isBusy={creating} make={make} />
    </WhoMay>
  );
}

function Entrance({ to, back }: { to: Organization; back: () => void }) {
  const { email } = useScope();
  const isUnsaved = useHasUnsaved();
  return (
    <Stack gap="sm">
      <Text size="sm">
        A session covers one organization. Enter your password to switch; your current session ends.
      </Text>
      {/* A full page load, so that nothing from the previous organization stays in memory. */}
      {isUnsaved ? (
        <Text size="sm" className="warn">
          Save or discard your changes first.
        </Text>
      ) : (
        <SignInForm of={email} organizationId={to.id} onEnter={() => window.location.assign('/')} />
      )}
      <Button variant="subtle" size="compact-sm" onClick={back}>
        Back to the list
      </Button>
    </Stack>
  );
}
