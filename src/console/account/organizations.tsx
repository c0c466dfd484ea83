import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CreateOrganizationDocument, OrganizationsDocument, UpdateOrganizationDocument } from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { isolated } from '../data/tell.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Dialog } from '../parts/dialog.js';
import { NameField } from '../parts/fields/name-field.js';
import { NewByName } from '../parts/fields/new-by-name.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Permitted } from '../parts/permitted.js';
import { WaitingRows } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';
import { SignInForm } from '../sign-in/sign-in-form.js';

interface Organization {
  id: string;
  name: string;
}

/** The organizations that the viewer's password opens, a way into each, and the form for one more. */
export function Organizations({ onClose }: { onClose: () => void }) {
  const [chosen, choose] = useState<Organization>();
  return (
    <Dialog title={chosen ? `Go to ${chosen.name}` : 'Organizations'} onClose={onClose}>
      {chosen ? <Entrance to={chosen} back={() => choose(undefined)} /> : <OrganizationList choose={choose} />}
    </Dialog>
  );
}

function OrganizationList({ choose }: { choose: (organization: Organization) => void }) {
  const { organization } = useScope();
  const mayRename = useMay('organization_update');
  const [renamed, rename] = useState<Organization | null>(null);
  const { data, error } = useDocument(OrganizationsDocument, {});
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        An organization has members, projects and passwords of its own. Listed are this one and those that you have made
        with the same password. Another that you are a member of opens at the sign-in, with the password that you have
        there.
      </Text>
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
                    <Text size="sm" c="dimmed">
                      You are here
                    </Text>
                    <Permitted
                      may={mayRename}
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
                    aria-label={`Go to ${name}`}
                    onClick={() => choose({ id, name })}
                  >
                    Go there
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
    const { data } = await create({ input: { name } }, `${isolated(name)} is there, and you are its owner.`);
    if (data?.createOrganization) onCreated(data.createOrganization);
    return Boolean(data?.createOrganization);
  };
  return (
    <WhoMay may={may} weakest="owner" to="make another organization">
      <NewByName label="New organization" action="Create" isBusy={creating} make={make} />
    </WhoMay>
  );
}

function Entrance({ to, back }: { to: Organization; back: () => void }) {
  const { email } = useScope();
  return (
    <Stack gap="sm">
      <Text size="sm">
        A session is of one organization: type your password to begin one there, in place of this one.
      </Text>
      {/* A fresh page: nothing of the organization before stays in memory. */}
      <SignInForm of={email} organizationId={to.id} onEnter={() => window.location.assign('/')} />
      <Button variant="subtle" size="compact-sm" onClick={back}>
        Back to the list
      </Button>
    </Stack>
  );
}
