import * as assert from 'uvu/assert';
import { MatrixObjects } from '../../contract/matrices/matrix-objects.js';
import { Client, refusalOf } from '../../support/client.js';
import { buildMember, buildProject, buildWorld } from '../../support/factories/factories.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const byId = worldSuite<{ make: MatrixObjects }>('objects by their ids');

byId.before(async (context) => {
  context.make = new MatrixObjects(context.test, context.world, context.world.owner);
});

byId(
  "include versions, events, warnings and members, but only of the caller's organization",
  async ({ test, world, make }) => {
    const foreigner = (await buildWorld(test)).owner.client;
    const viewer = await buildMember(test, world, 'viewer');
    for (const [root, type, id, code] of [
      ['flagVersion', 'FlagVersion', await make.flagVersion(), 'FLAG_VERSION_NOT_FOUND'],
      ['configVersion', 'ConfigVersion', (await make.configItem()).versionId, 'VERSION_NOT_FOUND'],
      ['event', 'AnalyticsEvent', await make.event(), 'EVENT_NOT_FOUND'],
      ['ingestionWarning', 'IngestionWarning', await make.ingestionWarning(), 'WARNING_NOT_FOUND'],
      ['user', 'User', viewer.id, 'MEMBER_NOT_FOUND'],
    ] as const) {
      const query = `query($id: ID!) { ${root}(id: $id) { __typename id } }`;
      for (const { client } of [world.owner, viewer])
        assert.equal(await client.graphql(query, { id }), { [root]: { __typename: type, id } });
      assert.is((await refusalOf(foreigner.graphql(query, { id }))).code, code, root);
      assert.is((await refusalOf(foreigner.graphql(query, { id: 'x' }))).code, code, root);
      const nobody = new Client(world.owner.client.baseUrl).graphql(query, { id });
      assert.is((await refusalOf(nobody)).code, 'UNAUTHENTICATED', root);
    }
  },
);

byId('include stored documents, for operators, who may delete them', async ({ world, make }) => {
  const id = await make.storedDocument();
  const query = 'query($id: ID!) { storedDocument(id: $id) { id app viewerCan } }';
  assert.equal(await world.operator.graphql(query, { id }), {
    storedDocument: { id, app: 'dashboard', viewerCan: ['document_manage'] },
  });
});

byId('say what an editor may do in a project, and who is an operator', async ({ test, world }) => {
  const { projectId } = await buildProject(world);
  const editor = await buildMember(test, world, 'editor');
  const query = `query($p: ID!) { project(id: $p) { viewerCan } viewer { permissions inProject: permissions(projectId: $p) } }`;
  interface Answer {
    project: { viewerCan: string[] };
    viewer: { permissions: string[]; inProject: string[] };
  }
  const { project, viewer } = await editor.client.graphql<Answer>(query, { p: projectId });
  assert.equal(
    project.viewerCan,
    viewer.inProject.filter((action) => !action.endsWith('_view')),
  );
  assert.ok(project.viewerCan.includes('switch_flag_change'));
  assert.not.ok(project.viewerCan.includes('deploy_token_manage'));
  const ofOperators = ['document_manage', 'quota_change'];
  for (const action of ofOperators) assert.not.ok(viewer.permissions.includes(action));
  const owner = await world.owner.client.graphql<Answer>(query, { p: projectId });
  assert.ok(owner.project.viewerCan.includes('deploy_token_manage'));
  const operator = await world.operator.graphql<{ viewer: { permissions: string[] } }>('{ viewer { permissions } }');
  for (const action of ofOperators) assert.ok(operator.viewer.permissions.includes(action));
});

byId.run();
