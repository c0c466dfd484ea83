import { MatrixObjects } from '../contract/matrices/matrix-objects.js';
import { buildKey, buildMember, buildWorld } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import type { TestApp } from '../support/test-app.js';
import type { KnownValues } from './json-arbitrary.js';

/** Callers by name, with the headers they send, and the ids of existing objects. */
export interface FuzzWorld {
  readonly callers: Readonly<Record<string, Record<string, string>>>;
  readonly known: KnownValues;
}

export async function buildFuzzWorld(test: TestApp): Promise<FuzzWorld> {
  const world = await buildWorld(test);
  const foreign = await buildWorld(test);
  const viewer = await buildMember(test, world, 'viewer');
  const editor = await buildMember(test, world, 'editor');
  const narrow = await buildKey(world.owner, world.projectId, 'live', ['survey']);
  const objects = new MatrixObjects(test, world, null);
  const item = await objects.configItem();
  const flag = await objects.flag();
  const [survey, draft, partly] = [
    await buildSurvey(world),
    await buildSurvey(world, {}, 'draft'),
    await objects.partial(),
  ];
  const artifact = await objects.artifact();
  const download = await objects.downloadPath();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const key = (secret: string) => ({ 'x-api-key': secret });
  return {
    callers: {
      live: key(world.keys.live),
      'live again': key(world.keys.live),
      test: key(world.keys.test),
      both: { ...key(world.keys.live), ...bearer(world.owner.token) },
      'both again': { ...key(world.keys.live), ...bearer(editor.token) },
      narrow: key(narrow),
      'foreign key': key(foreign.keys.live),
      'bad key': key('sk_live_é\u00ff'),
      owner: bearer(world.owner.token),
      editor: bearer(editor.token),
      viewer: bearer(viewer.token),
      foreigner: bearer(foreign.owner.token),
      forged: bearer(`${world.owner.token.slice(0, -3)}abc`),
      'key as token': bearer(world.keys.live),
      nobody: {},
    },
    known: {
      version_id: [item.versionId],
      flag_key: [flag.key],
      survey_id: [survey.id, survey.slug, draft.id, partly],
      external_id: ['respondent-1'],
      key: [flag.key],
      project_id: [world.projectId],
      object: [download.split('?')[0]?.split('/').at(-1) ?? ''],
      ...Object.fromEntries([...new URL(download, test.baseUrl).searchParams].map(([name, value]) => [name, [value]])),
      '/api/v1/config/items/{id}/versions id': [item.id],
      '/api/v1/config/items/{id}/rollback id': [item.id],
      '/api/v1/switch/flags/{id}/resume id': [flag.id],
      '/api/switch/flags/{id}/resume id': [flag.id],
      '/api/v1/catch/symbols/{id} id': [artifact, 'sym_unknown'],
      '/api/v1/pulse/surveys/{id}/responses.csv id': [survey.id],
      '/api/v1/pulse/surveys/{id}/responses.ndjson id': [survey.id],
    },
  };
}
