import { Anchor, Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { DeleteTicketDocument, UpdateTicketDocument } from '#documents';
import { scopePath, useScope } from '../app/scope.js';
import { useChange } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Permitted } from '../parts/permitted.js';
import { When } from '../parts/when.js';
import type { Ticket } from './board-types.js';

/** A ticket to read, write and delete. */
export function TicketForm({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const scope = useScope();
  const [title, setTitle] = useState(ticket.title);
  const [description, setDescription] = useState(ticket.description);
  const [update, updating] = useChange(UpdateTicketDocument);
  const [remove] = useChange(DeleteTicketDocument);
  const may = ticket.viewerCan.includes('plan_ticket_change');
  const survey = ticket.triageRule?.survey;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await update({ input: { id: ticket.id, title, description } }, 'Saved.');
    if (!error) onClose();
  };
  const drop = async () => {
    const { error } = await remove({ id: ticket.id }, 'The ticket is deleted.');
    if (!error) onClose();
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={600}>Ticket</Text>}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Title"
            data-autofocus
            required
            readOnly={!may}
            value={title}
            onChange={(e) => setTitle(e.currentTarget.value)}
          />
          <Textarea
            label="Description"
            autosize
            minRows={4}
            readOnly={!may}
            value={description}
            onChange={(e) => setDescription(e.currentTarget.value)}
          />
          <Text size="xs" c="dimmed">
            Changed <When at={ticket.updatedAt} />
            {survey ? '; made of an answer to ' : ''}
            {survey && (
              <Anchor component={Link} to={scopePath(scope, 'surveys', survey.id)} inherit>
                {survey.name}
              </Anchor>
            )}
          </Text>
          <Group justify="space-between">
            <Confirmed
              may={may}
              variant="subtle"
              color="red"
              action="Delete"
              what="the ticket"
              goesAlong={[`“${ticket.title}” goes for good.`]}
              run={drop}
            />
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Permitted may={may} type="submit" loading={updating}>
                Save
              </Permitted>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
