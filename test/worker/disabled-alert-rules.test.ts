import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { buildWorld } from '../support/factories/factories.js';
import { appSuite } from '../support/factories/world-suite.js';

const x = appSuite('disabled alert rules');

interface Rule {
  id: string;
  enabled: boolean;
  lastFiredAt: string | null;
  firings: { nodes: object[] };
}

const RULE = 'id enabled lastFiredAt firings { nodes { firedAt } }';

x('do not fire, keep their firings, and fire again once enabled', async ({ test }) => {
  const { projectId, owner, live } = await buildWorld(test);
  const created = await owner.client.graphql<{ createAlertRule: Rule }>(
    `mutation($i: CreateAlertRuleInput!) { createAlertRule(input: $i) { ${RULE} } }`,
    { i: { projectId, name: 'New issues', condition: 'issue_created' } },
  );
  const { id, enabled } = created.createAlertRule;
  assert.is(enabled, true);
  const change = async (input: object): Promise<Rule> => {
    const { updateAlertRule } = await owner.client.graphql<{ updateAlertRule: Rule }>(
      `mutation($i: UpdateAlertRuleInput!) { updateAlertRule(input: $i) { ${RULE} } }`,
      { i: { id, ...input } },
    );
    return updateAlertRule;
  };
  /** Reports a crash of a new kind; returns how often the rule has fired by then. */
  const firingsAfterCrash = async (type: string): Promise<number> => {
    const event = { event_id: randomUUID(), platform: 'python', exception: { type, value: 'x' } };
    assert.is((await live.post('/api/catch/events', event)).status, 200);
    await test.app.services.crashSymbolication.run(projectId, 'live');
    const { rows } = await test.app.pool.query(
      "select from event_log where project_id = $1 and kind = 'catch.alert.fired'",
      [projectId],
    );
    return rows.length;
  };
  assert.is(await firingsAfterCrash('First'), 1);
  const disabled = await change({ enabled: false });
  assert.equal([disabled.enabled, disabled.firings.nodes.length], [false, 1]);
  assert.is(await firingsAfterCrash('Second'), 1);
  assert.is((await change({ name: 'Renamed' })).enabled, false, 'other changes leave it disabled');
  assert.is((await change({ enabled: true })).enabled, true);
  assert.is(await firingsAfterCrash('Third'), 2);
});

x.run();
