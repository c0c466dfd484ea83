import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { buildMember, type World } from '../support/factories/factories.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { openLocally } from '../support/receivers/open-locally.js';
import type { TestApp } from '../support/test-app.js';
import { until } from '../support/until.js';
import { MatrixObjects } from './matrices/matrix-objects.js';

/** Argument values, by argument name, that match something in a project with rows of everything. */
export type FilledProject = Readonly<Record<string, readonly unknown[]>>;

/** Fills the world's project with rows of every kind. The application must run its worker and allow loopback receivers. */
export async function fillProject(test: TestApp, world: World): Promise<FilledProject> {
  const make = new MatrixObjects(test, world, world.owner);
  const { projectId } = world;
  await buildMember(test, world, 'editor');
  const item = await make.configItem();
  const [flag, needed] = [await make.flag(), await make.flag()];
  await world.owner.client.graphql('mutation($i: UpdateFlagInput!) { updateFlag(input: $i) { id } }', {
    i: {
      flagId: flag.id,
      prerequisites: [{ key: needed.key, variants: ['off'] }],
      rules: [{ conditions: [{ attribute: 'props.plan', values: ['pro'] }], variant: 'on', percentage: 50 }],
    },
  });
  const { distinctId } = await make.joinedPerson();
  await post(world, '/api/v1/batch', {
    operations: [
      {
        type: 'track',
        payload: { event_name: 'opened', distinct_id: distinctId, properties: { plan: 'pro', deep: [{}] } },
      },
      { type: 'track', payload: { event_name: 'opened', distinct_id: 'null' } },
    ],
  });
  await test.app.services.warnings.flush();
  const cohort = await make.cohort();
  const { survey, slug, distribution, response } = await fillSurvey(world);
  await make.artifact();
  const eventId = randomUUID();
  const issueId = await make.crashIssue(eventId);
  await fillCrashes(world);
  const alertRule = await make.alertRule();
  const entry = await make.changelogEntry();
  const { id: release, version } = await make.versionedRelease();
  const boardId = await make.board();
  const triageRule = await make.triageRule(boardId, survey);
  const { createTicket } = await world.owner.client.graphql<{ createTicket: { id: string } }>(
    'mutation($i: CreateTicketInput!) { createTicket(input: $i) { id } }',
    { i: { boardId, title: 'A ticket' } },
  );
  const [deployToken, apiToken, apiKey] = [await make.deployToken(), await make.apiToken(), await make.apiKey()];
  const subscriptionId = await fillDeliveries(make, world);
  const deadLetterId = await make.deadLetter();
  const { person } = await world.owner.client.graphql<{ person: { id: string } }>(
    'query($p: ID!, $d: String!) { person(projectId: $p, distinctId: $d) { id } }',
    { p: projectId, d: distinctId },
  );
  const now = test.clock.now().getTime();
  const around = [new Date(now - 86_400_000).toISOString(), new Date(now + 86_400_000).toISOString()];
  const app = 'dashboard';
  await world.operator.graphql('mutation($i: StoreDocumentsInput!) { storeDocuments(input: $i) { id } }', {
    i: { app, version: '1', documents: ['{ me { id } }'] },
  });
  return {
    projectId: [projectId],
    'organization id': [world.organizationId],
    'project id': [projectId],
    'apiKey id': [apiKey],
    'apiToken id': [apiToken],
    'auditEntry id': [await make.auditEntry()],
    'deployToken id': [deployToken],
    'membership id': [await make.membership()],
    'configItem id': [item.id],
    'crashIssue id': [issueId],
    'crashEvent id': [eventId],
    'user id': [world.owner.id],
    'configVersion id': [item.versionId],
    'flagVersion id': [await make.flagVersion()],
    'event id': [await make.event()],
    'ingestionWarning id': [await make.ingestionWarning()],
    'storedDocument id': [await make.storedDocument()],
    'crashProfile id': [await make.crashProfile()],
    'crashProfileDownloadUrl id': [await make.crashProfile()],
    'alertRule id': [alertRule],
    'symbolSource id': [await make.symbolSource()],
    'symbolArtifact id': [await make.artifact()],
    'flag id': [flag.id],
    'flagByKey key': [flag.key],
    'configItemByKey key': [item.key],
    'release id': [release],
    'survey id': [survey],
    slug: [slug],
    'surveyDistribution id': [distribution],
    'surveyResponse id': [response],
    'symbolDownloadUrl id': [await make.artifact()],
    itemId: [item.id],
    versionId: [item.versionId],
    flagId: [flag.id],
    surveyId: [survey],
    boardId: [boardId],
    'board id': [boardId],
    'triageRule id': [triageRule],
    'ticket id': [createTicket.id],
    'changelogEntry id': [entry],
    version: [version],
    'releaseByVersion environment': ['live'],
    'flagByKey environment': ['live'],
    'configItemByKey environment': ['live'],
    issueId: [issueId],
    subscriptionId: [subscriptionId],
    'webhookSubscription id': [subscriptionId],
    'webhookDelivery id': [deadLetterId],
    'deadLetter id': [deadLetterId],
    personId: [person.id],
    distinctId: [distinctId],
    objectId: [flag.id],
    actorId: [world.owner.id],
    from: [around[0]],
    to: [around[1]],
    since: [around[0]],
    until: [around[1]],
    receivedFrom: [around[0]],
    receivedBefore: [around[1]],
    'auditLog kind': ['switch.flag.created'],
    'webhookDeliveries kind': ['plan.ticket.created'],
    'deadLetters kind': ['plan.ticket.created'],
    'symbolArtifacts kind': ['js_sourcemap'],
    eventName: ['opened'],
    property: ['plan'],
    keyPrefix: ['matrix'],
    reason: ['garbage_id'],
    release: ['2.0'],
    appVersion: ['1.2.3'],
    platform: ['ios'],
    osVersion: ['18.1'],
    locale: ['de-DE'],
    'explainFlag context': [{ plan: 'pro' }],
    cohorts: [['beta']],
    'people properties': [{ plan: 'pro' }],
    'explainFlag properties': [{ plan: 'pro', at: [1, null, {}] }],
    'explainConfig properties': [{ plan: 'pro', at: [1, null, {}] }],
    'explainConfig context': [{ plan: 'pro' }],
    'audienceSize rules': [[{ conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro'] }] }]],
    'audienceSize salt': ['checkout'],
    'storedDocuments app': [app],
    'cohort id': [cohort],
    'personById id': [person.id],
    first: [1, 100],
    'crashFreeSessions days': [1, 90],
    'surveyResponses filter': [
      {
        distributionId: 'dst_x',
        email: 'a@example.com',
        environment: 'live',
        externalId: 'e1',
        scoreMax: 10,
        scoreMin: 0,
        submittedFrom: around[0],
        submittedTo: around[1],
        surveyVersion: 1,
        userId: 'u1',
      },
    ],
  };
}

async function post(world: World, path: string, sent: object): Promise<unknown> {
  const { status, text, body } = await world.live.post(path, sent);
  if (status >= 300) throw new Error(`${path} answered ${status} ${text}`);
  return body;
}

interface FilledSurvey {
  survey: string;
  slug: string;
  distribution: string;
  response: string;
}

async function fillSurvey(world: World): Promise<FilledSurvey> {
  const { id, slug } = await buildSurvey(world, {
    description: 'About everything',
    theme: { primaryColor: '#336699' },
    translations: { de: { 'survey.name': 'Umfrage' } },
    targetingRules: [{ predicate: 'event:opened', weightNumerator: 1 }],
    branchingRules: [{ fromQuestionId: 'nps', predicate: 'answer > 8', toQuestionId: 'why' }],
  });
  const { createDistribution } = await world.owner.client.graphql<{ createDistribution: { id: string } }>(
    'mutation($i: CreateDistributionInput!) { createDistribution(input: $i) { id } }',
    { i: { surveyId: id, name: 'By mail' } },
  );
  const answers = {
    nps: 9,
    stars: 5,
    mood: 3,
    agree: 2,
    why: 'so',
    colour: 'red',
    tags: ['red'],
    again: true,
    when: '2026-01-01',
  };
  const respondent = { user_id: 'u1', external_id: 'e1', email: 'a@example.com' };
  const response = await post(world, '/api/pulse/responses', {
    survey_id: id,
    answers,
    respondent,
    context: { distribution_id: createDistribution.id },
  });
  return { survey: id, slug, distribution: createDistribution.id, response: (response as { id: string }).id };
}

/** One event whose symbols are missing, with everything that an event may include. */
async function fillCrashes(world: World): Promise<void> {
  const frames = [{ module: 'a.b', function: 'a', file: 'SourceFile', line: 2, in_app: true }];
  await post(world, '/api/catch/events', {
    event_id: randomUUID(),
    platform: 'android',
    release: '2.0',
    distinct_id: 'user-1',
    tags: { plan: 'pro' },
    extra: { deep: [{}] },
    breadcrumbs: [{ message: 'opened' }],
    exception: { type: 'a.c', value: 'nothing to buy', frames },
  });
}

/** One delivery that succeeded, one that waits and one that was given up; returns the subscription of the first. */
async function fillDeliveries(make: MatrixObjects, world: World): Promise<string> {
  const receivers = await Promise.all([204, 500, 410].map(receiver));
  try {
    const subscriptions = [];
    for (const { url } of receivers) subscriptions.push(await make.subscription(['plan.*'], url));
    await make.ticket();
    await until('a delivery of each status', async () => {
      const { webhookDeliveries } = await world.owner.client.graphql<{
        webhookDeliveries: { nodes: { status: string; attempts: number }[] };
      }>('query($p: ID!) { webhookDeliveries(projectId: $p, first: 100) { nodes { status attempts } } }', {
        p: world.projectId,
      });
      const tried = webhookDeliveries.nodes.filter(({ attempts }) => attempts > 0);
      return new Set(tried.map(({ status }) => status)).size === 3;
    });
    return subscriptions[0] ?? '';
  } finally {
    for (const { server } of receivers) server.close();
  }
}

async function receiver(status: number): Promise<{ url: string; server: Server }> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  return { url: `${await openLocally(server)}/`, server };
}
