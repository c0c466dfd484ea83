import { randomUUID } from 'node:crypto';
import type { World } from './factories.js';

/** Questions as `createSurvey` takes them; fixed ids make tests readable. */
export const QUESTIONS = [
  { id: 'nps', kind: 'nps', prompt: 'How likely?', required: true },
  { id: 'stars', kind: 'rating', prompt: 'How many stars?' },
  { id: 'mood', kind: 'csat', prompt: 'How satisfied?' },
  { id: 'agree', kind: 'likert', prompt: 'Do you agree?' },
  { id: 'why', kind: 'text', prompt: 'Why?', maxLength: 500 },
  { id: 'colour', kind: 'select', prompt: 'Which colour?', options: ['red', 'blue'] },
  { id: 'tags', kind: 'multiselect', prompt: 'Which ones?', options: ['red', 'blue'] },
  { id: 'again', kind: 'boolean', prompt: 'Again?' },
  { id: 'when', kind: 'date', prompt: 'When?' },
];

export interface BuiltSurvey {
  id: string;
  slug: string;
  version: number;
  questions: { id: string }[];
}

/** Creates a survey in the world's project, as its owner; published unless it is to stay a draft. */
export async function buildSurvey(
  world: World,
  overrides: Record<string, unknown> = {},
  status: 'draft' | 'published' | 'closed' | 'archived' = 'published',
): Promise<BuiltSurvey> {
  const input = {
    projectId: world.projectId,
    name: `Survey ${randomUUID().slice(0, 8)}`,
    questions: QUESTIONS,
    ...overrides,
  };
  const { createSurvey } = await world.owner.client.graphql<{ createSurvey: BuiltSurvey }>(
    'mutation($input: CreateSurveyInput!) { createSurvey(input: $input) { id slug version questions { id } } }',
    { input },
  );
  if (status !== 'draft') await moveSurvey(world, 'publish', createSurvey.id);
  if (status === 'closed') await moveSurvey(world, 'close', createSurvey.id);
  if (status === 'archived') await moveSurvey(world, 'archive', createSurvey.id);
  return createSurvey;
}

/** Runs `publishSurvey`, `closeSurvey`, `archiveSurvey` or `unarchiveSurvey` and returns the new status. */
export async function moveSurvey(
  world: World,
  transition: 'publish' | 'close' | 'archive' | 'unarchive',
  id: string,
): Promise<string> {
  const moved = await world.owner.client.graphql<{ moved: { status: string } }>(
    `mutation($input: IdInput!) { moved: ${transition}Survey(input: $input) { status } }`,
    { input: { id } },
  );
  return moved.moved.status;
}

/** Runs `updateSurvey` and returns the new version. */
export async function editSurvey(world: World, input: Record<string, unknown>): Promise<number> {
  const { updateSurvey } = await world.owner.client.graphql<{ updateSurvey: { version: number } }>(
    'mutation($input: UpdateSurveyInput!) { updateSurvey(input: $input) { version } }',
    { input },
  );
  return updateSurvey.version;
}
