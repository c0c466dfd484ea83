import * as assert from 'uvu/assert';
import { buildProject } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const x = worldSuite("manifest for OpenFeature's command line");

const PATH = '/openfeature/v0/manifest';

x('contains the flags in use with type and default, by key', async ({ world }) => {
  const variant = (key: string, ...values: unknown[]) =>
    buildFlag(world, {
      key,
      kind: 'variant',
      description: `About ${key}`,
      variants: values.map((value, at) => ({ key: `v${at}`, value })),
      defaultVariant: 'v0',
    });
  await variant('text', 'blue', 'green');
  await variant('whole', 3, 4);
  await variant('part', 3, 0.5);
  await variant('object', { size: [1] }, { size: [] });
  await variant('mixed', 'a', 1);
  await buildFlag(world, { key: 'bool' });
  await buildFlag(world, { key: 'elsewhere', environment: 'test' });
  const { id } = await buildFlag(world, { key: 'archived' });
  await world.owner.client.graphql('mutation($i: FlagIdInput!) { archiveFlag(input: $i) { id } }', {
    i: { flagId: id },
  });

  await buildFlag(world, { key: 'written', description: ' Two\nlines */ os.exit() """ ' });

  const { status, body, headers } = await world.owner.client.get(PATH);
  assert.is(status, 200);
  assert.is(headers.get('x-manifest-capabilities'), 'read');
  assert.equal(body, {
    flags: [
      { key: 'bool', type: 'boolean', description: '', defaultValue: false },
      { key: 'mixed', type: 'object', description: 'About mixed', defaultValue: 'a' },
      { key: 'object', type: 'object', description: 'About object', defaultValue: { size: [1] } },
      { key: 'part', type: 'float', description: 'About part', defaultValue: 3 },
      { key: 'text', type: 'string', description: 'About text', defaultValue: 'blue' },
      { key: 'whole', type: 'integer', description: 'About whole', defaultValue: 3 },
      { key: 'written', type: 'boolean', description: "Two lines * / os.exit() '''", defaultValue: false },
    ],
  });
  const { body: tested } = await world.owner.client.get(`${PATH}?environment=test`);
  assert.equal(
    (tested as { flags: { key: string }[] }).flags.map(({ key }) => key),
    ['elsewhere'],
  );
});

x('requires a project if there are several, and a known environment', async ({ world }) => {
  const answerTo = async (query: string) => {
    const { status, body } = await world.owner.client.get(`${PATH}${query}`);
    return [status, (body as { error?: string }).error];
  };
  assert.equal(await answerTo('?environment=staging'), [400, 'environment must be live or test']);
  await buildProject(world);
  assert.equal(await answerTo(''), [400, 'project_required']);
  assert.equal(await answerTo(`?project_id=${world.projectId}`), [200, undefined]);
});

x.run();
