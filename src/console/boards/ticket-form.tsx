import { Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DeleteTicketDocument, UpdateTicketDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useChange } from '../data/use-document.js';
import { changedOf } from '../editor/changed.js';
import { Confirmed } from '../parts/confirmed.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import type { Ticket } from './board-types.js';

export function TicketForm({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  // Others' changes since then must not alter what this form began with.
  const [before] = useState({ title: ticket.title, description: ticket.description });
  const [title, setTitle] = useState(ticket.title);
  const [description, setDescription] = useState(ticket.description);
  const [update] = useChange(UpdateTicketDocument, { quiet: true });
  const [remove] = useChange(DeleteTicketDocument, { quiet: true });
  const may = ticket.viewerCan.includes('plan_ticket_change');
  const survey = ticket.triageRule?.survey;
  const save = () => update({ input: { id: ticket.id, ...changedOf(before, { title, description }) } }, 'Saved.');
  const drop = async () => {
    const answered = await remove({ id: ticket.id }, 'Ticket deleted.');
    if (!answered.error) onClose();
    return answered;
  };
  return (
    <FormDialog
      title="Ticket"
      action="Save"
      isWide
      may={may}
      save={save}
      onClose={onClose}
      aside={
        <Confirmed
          may={may}
          variant="subtle"
          color="red"
          action="Delete"
          what="the ticket"
          goesAlong={[`This permanently deletes “${isolated(ticket.title)}”.`]}
          run={drop}
        />
      }
    >
      {(faultOf) => (
        <>
          <TextInput
            label="Title"
            data-autofocus
            required
            readOnly={!may}
            {...typing(title, setTitle)}
            error={faultOf('title')}
          />
          <Textarea
            label="Description"
            autosize
            minRows={4}
            readOnly={!may}
            {...typing(description, setDescription)}
            error={faultOf('description')}
          />
          <Muted size="xs">
            Changed <When at={ticket.updatedAt} />
            {survey ? '; created from a response to ' : ''}
            {survey && <PageLink to={['surveys', survey.id]}>{survey.name}</PageLink>}
          </Muted>
        </>
      )}
    </FormDialog>
  );
}
