import { Text } from '@mantine/core';
import { BoardsDocument, CreateBoardDocument } from '#documents';
import { useGoTo, useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { NewByName } from '../parts/fields/new-by-name.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { PageLink } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';

/** With no more boards than this, search is hidden. */
const FEW = 10;

export function BoardsPage() {
  const scope = useScope();
  const goTo = useGoTo();
  const may = useMay('plan_board_change');
  const [{ q }] = useSearchState();
  const variables = { projectId: scope.projectId, search: q ?? null };
  const pages = usePages(BoardsDocument, variables, ({ boards }) => boards);
  const isLong = (pages.totalCount ?? 0) > FEW || pages.isBusy || Boolean(q);
  const [create, creating] = useChange(CreateBoardDocument);
  const make = async (name: string) => {
    const { data } = await create({ input: { projectId: scope.projectId, name } });
    if (data?.createBoard) goTo('boards', data.createBoard.id);
    return Boolean(data?.createBoard);
  };
  return (
    <Page title="Boards">
      <Panel title="All boards" aside={isLong && <SearchField label="Search boards" placeholder="Part of a name" />}>
        <WhoMay may={may} weakest="editor" to="create boards">
          <NewByName label="New board" action="Create board" isBusy={creating} make={make} />
        </WhoMay>
        <NoRows pages={pages} expected={2}>
          {q
            ? `No boards with “${q}” in their names.`
            : 'No boards yet. A board holds tickets; triage rules create them from low survey scores.'}
        </NoRows>
        {pages.rows.map((board) => (
          <Text key={board.id} className="frame" size="sm">
            <PageLink to={['boards', board.id]}>{board.name}</PageLink>
          </Text>
        ))}
        <More pages={pages}>Load more boards</More>
      </Panel>
    </Page>
  );
}
