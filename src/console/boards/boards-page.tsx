import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { BoardsDocument, CreateBoardDocument } from '#documents';
import { scopePath, useGoTo, useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';

/** The boards of the project. */
export function BoardsPage() {
  const scope = useScope();
  const goTo = useGoTo();
  const may = useMay('plan_board_change');
  const pages = usePages(BoardsDocument, { projectId: scope.projectId }, ({ boards }) => boards);
  const [name, setName] = useState('');
  const [create, creating] = useChange(CreateBoardDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create({ input: { projectId: scope.projectId, name } });
    if (data?.createBoard) goTo('boards', data.createBoard.id);
  };
  return (
    <Page title="Boards">
      <Panel title="Boards">
        {!pages.isKnown && <WaitingRows rows={2} error={pages.error} />}
        {pages.isKnown && pages.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            No board yet. Tickets stand on one; triage rules make them of bad answers to a survey.
          </Text>
        )}
        {pages.rows.map((board) => (
          <Text key={board.id} className="frame" size="sm">
            <Anchor component={Link} to={scopePath(scope, 'boards', board.id)} inherit>
              {board.name}
            </Anchor>
          </Text>
        ))}
        <More pages={pages}>More boards</More>
        <WhoMay may={may} weakest="editor" to="make boards">
          <form onSubmit={submit}>
            <Group gap="xs" align="flex-end" mt="sm">
              <TextInput
                label="New board"
                placeholder="Name"
                required
                value={name}
                onChange={(e) => setName(e.currentTarget.value)}
              />
              <Button type="submit" loading={creating} renderRoot={keepsFocus}>
                Make board
              </Button>
            </Group>
          </form>
        </WhoMay>
      </Panel>
    </Page>
  );
}
