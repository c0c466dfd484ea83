import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import { buildSubscription } from '../../support/factories/webhook-factory.js';
import { openLocally } from '../../support/receivers/open-locally.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../../support/symbols/symbol-client.js';
import { until } from '../../support/until.js';
import { MatrixPeople } from './matrix-people.js';

/** Makes objects of one organization as its owner, a fresh one each time, for operations that use theirs up. */
export class MatrixObjects extends MatrixPeople {
  /** The audit log entry of the project's newest change. */
  async auditEntry(): Promise<string> {
    await this.flag();
    const query = 'query($p: ID!) { auditLog(projectId: $p, first: 1) { nodes { id } } }';
    const { auditLog } = await this.world.owner.client.graphql<{ auditLog: { nodes: { id: string }[] } }>(query, {
      p: this.projectId,
    });
    return auditLog.nodes[0]?.id ?? '';
  }

  async apiKey(): Promise<string> {
    const input = { projectId: this.projectId, environment: 'live' };
    const { key } = await this.run<{ key: { id: string } }>('createApiKey', 'CreateApiKeyInput', input, 'key { id }');
    return key.id;
  }

  async deployToken(): Promise<string> {
    const input = { projectId: this.projectId, name: this.name() };
    const made = await this.run<{ deployToken: { id: string } }>(
      'createDeployToken',
      'CreateDeployTokenInput',
      input,
      'deployToken { id }',
    );
    return made.deployToken.id;
  }

  async apiToken(): Promise<string> {
    const input = { name: this.name(), role: 'viewer' };
    const made = await this.run<{ apiToken: { id: string } }>(
      'createApiToken',
      'CreateApiTokenInput',
      input,
      'apiToken { id }',
    );
    return made.apiToken.id;
  }

  /** A config item of type int with one version. */
  async configItem(): Promise<{ id: string; key: string; versionId: string }> {
    const input = {
      projectId: this.projectId,
      key: this.slug(),
      type: 'int',
      value: '1',
      rule: { cohort: 'beta', value: '2' },
    };
    const made = await this.run<{ id: string; versions: { nodes: { id: string }[] } }>(
      'createConfigItem',
      'CreateConfigItemInput',
      input,
      'id versions(first: 1) { nodes { id } }',
    );
    return { id: made.id, key: input.key, versionId: made.versions.nodes[0]?.id ?? '' };
  }

  /** A boolean live flag. */
  flag(): Promise<{ id: string; key: string }> {
    const input = { projectId: this.projectId, environment: 'live', key: this.slug() };
    return this.run('createFlag', 'CreateFlagInput', input, 'id key');
  }

  async flagVersion(): Promise<string> {
    const { flag } = await this.owner.graphql<{ flag: { versions: { nodes: { id: string }[] } } }>(
      'query($id: ID!) { flag(id: $id) { versions(first: 1) { nodes { id } } } }',
      { id: (await this.flag()).id },
    );
    return flag.versions.nodes[0]?.id ?? '';
  }

  survey(status: 'draft' | 'published' | 'archived' = 'published'): Promise<{ id: string; slug: string }> {
    return buildSurvey(this.world, {}, status);
  }

  /** A response to a new survey. */
  async response(): Promise<string> {
    const { id } = await this.survey();
    const { status, body, text } = await this.world.live.post('/api/pulse/responses', {
      survey_id: id,
      answers: { nps: 9 },
    });
    if (status !== 201) throw new Error(`the response was answered ${status} ${text}`);
    return (body as { id: string }).id;
  }

  async distribution(): Promise<string> {
    const { id } = await this.survey();
    return this.idOf('createDistribution', 'CreateDistributionInput', { surveyId: id, name: this.name() });
  }

  /** The survey of a partial save by `respondent-1`. */
  async partial(): Promise<string> {
    const { id } = await this.survey();
    const respondent = { external_id: 'respondent-1' };
    await this.send('/api/pulse/partial', { survey_id: id, respondent, answers: { nps: 3 } });
    return id;
  }

  async artifact(): Promise<string> {
    const fields = { project_id: this.projectId, kind: 'js_sourcemap', release: this.slug() };
    return artifactOf(await uploadSymbols(this.owner, { name: 'app.js.map', bytes: SMALL_MAP }, fields)).id;
  }

  /** The upload of a small source map. */
  async symbolForm(): Promise<{ path: string; body: Uint8Array; headers: Record<string, string> }> {
    const form = new FormData();
    form.append('project_id', this.projectId);
    form.append('kind', 'js_sourcemap');
    form.append('release', this.slug());
    form.append('file', new Blob([SMALL_MAP], { type: 'application/json' }), 'app.js.map');
    const encoded = new Response(form);
    return {
      path: '/api/v1/catch/symbols',
      body: new Uint8Array(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    };
  }

  /** A small source map, announced before its only part is sent. */
  announcedFile() {
    const sha256 = createHash('sha256').update(SMALL_MAP).digest('hex');
    const file = { kind: 'js_sourcemap', file_name: 'app.js.map', size_bytes: SMALL_MAP.length, sha256 };
    return { ...file, release: this.slug() };
  }

  async symbolUpload(): Promise<string> {
    const path = `/api/v1/catch/symbols/uploads?project_id=${this.projectId}`;
    const { body } = await this.owner.post(path, this.announcedFile());
    return (body as { upload: { id: string } }).upload.id;
  }

  symbolPart(id: string) {
    const digest = createHash('sha256').update(SMALL_MAP).digest('base64');
    return {
      path: `/api/v1/catch/symbols/uploads/${id}/parts/0`,
      body: new TextEncoder().encode(SMALL_MAP),
      headers: { 'content-digest': `sha-256=:${digest}:`, 'content-type': 'application/octet-stream' },
    };
  }

  async sendSymbolPart(id: string): Promise<void> {
    const { path, body, headers } = this.symbolPart(id);
    await this.owner.send('PUT', path, body, headers);
  }

  /** Path and query of a signed link to an artifact's file. */
  async downloadPath(): Promise<string> {
    const { symbolDownloadUrl } = await this.owner.graphql<{ symbolDownloadUrl: string }>(
      'query($id: ID!) { symbolDownloadUrl(id: $id) }',
      { id: await this.artifact() },
    );
    return pathOf(symbolDownloadUrl);
  }

  /** Path and query of a signed link to the responses of a survey. */
  async exportPath(format: 'csv' | 'ndjson'): Promise<string> {
    const { survey } = await this.owner.graphql<{ survey: { responsesDownloadUrl: string } }>(
      'query($id: ID!, $format: ExportFormat!) { survey(id: $id) { responsesDownloadUrl(format: $format) } }',
      { id: (await this.survey()).id, format },
    );
    return pathOf(survey.responsesDownloadUrl);
  }

  /** An issue for a new kind of crash, once the worker has grouped it. */
  async crashIssue(eventId: string = randomUUID()): Promise<string> {
    const value = this.slug();
    const exception = { type: value, value, frames: [{ function: value, file: 'app.js', line: 1, in_app: true }] };
    await this.send('/api/catch/events', { event_id: eventId, level: 'error', platform: 'node', exception });
    return until('the worker has grouped the crash', async () => {
      const { crashIssues } = await this.owner.graphql<{ crashIssues: { nodes: { id: string; title: string }[] } }>(
        'query($projectId: ID!) { crashIssues(projectId: $projectId, first: 100) { nodes { id title } } }',
        { projectId: this.projectId },
      );
      return crashIssues.nodes.find(({ title }) => title.includes(value))?.id;
    });
  }

  async mergedIssue(): Promise<string> {
    const [intoId, id] = [await this.crashIssue(), await this.crashIssue()];
    await this.run('mergeCrashIssues', 'MergeCrashIssuesInput', { intoId, ids: [id] }, 'id');
    return id;
  }

  async crashEvent(): Promise<{ projectId: string; id: string }> {
    const id = randomUUID();
    await this.crashIssue(id);
    return { projectId: this.projectId, id };
  }

  async crashProfile(): Promise<string> {
    const { body } = await this.world.live.post('/api/catch/profiles', { samples: [] });
    return (body as { profile_id: string }).profile_id;
  }

  alertRule(): Promise<string> {
    const input = { projectId: this.projectId, name: this.name(), condition: 'issue_created' };
    return this.idOf('createAlertRule', 'CreateAlertRuleInput', input);
  }

  newSymbolSource() {
    return { projectId: this.projectId, name: this.name(), layout: 'debuginfod', url: 'https://symbols.example.com' };
  }

  symbolSource(): Promise<string> {
    return this.idOf('createSymbolSource', 'CreateSymbolSourceInput', this.newSymbolSource());
  }

  async release(): Promise<string> {
    return (await this.versionedRelease()).id;
  }

  versionedRelease(): Promise<{ id: string; version: string }> {
    const input = { projectId: this.projectId, version: this.slug() };
    return this.run('createRelease', 'CreateReleaseInput', input, 'id version');
  }

  changelogEntry(): Promise<string> {
    return this.idOf('createChangelogEntry', 'CreateChangelogEntryInput', {
      projectId: this.projectId,
      title: this.name(),
    });
  }

  board(): Promise<string> {
    return this.idOf('createBoard', 'CreateBoardInput', { projectId: this.projectId, name: this.name() });
  }

  triageRule(boardId: string, surveyId: string): Promise<string> {
    return this.idOf('createTriageRule', 'CreateTriageRuleInput', { boardId, surveyId, comparison: 'lt', score: 7 });
  }

  /** A triage rule with its own board and survey. */
  async ownTriageRule(): Promise<string> {
    return this.triageRule(await this.board(), (await this.survey()).id);
  }

  async ticket(): Promise<string> {
    return this.idOf('createTicket', 'CreateTicketInput', { boardId: await this.board(), title: this.name() });
  }

  /** Nothing listens there. */
  webhookUrl(): string {
    return 'http://127.0.0.1:8009/';
  }

  async subscription(patterns = ['plan.*'], url = this.webhookUrl()): Promise<string> {
    return (await buildSubscription(this.world, url, patterns)).id;
  }

  /** A delivery that a receiver answered with 410. That also switched off the subscription, which is then switched on again. */
  async deadLetter(): Promise<string> {
    // Only the first delivery gets 410, on every attempt. Otherwise another one in flight would switch the subscription off again.
    let first: unknown;
    const receiver = createServer(({ headers }, response) => {
      first ??= headers['webhook-id'];
      response.writeHead(headers['webhook-id'] === first ? 410 : 204).end();
    });
    const subscriptionId = await this.subscription(['changelog.*'], `${await openLocally(receiver)}/`);
    await this.changelogEntry();
    try {
      const id = await until('the delivery is dead', async () => {
        const { deadLetters } = await this.owner.graphql<{ deadLetters: { nodes: { id: string; eventId: string }[] } }>(
          'query($projectId: ID!, $subscriptionId: ID!) { deadLetters(projectId: $projectId, subscriptionId: $subscriptionId) { nodes { id eventId } } }',
          { projectId: this.projectId, subscriptionId },
        );
        // One that was in flight when the subscription was switched off may still arrive, and is then dead no longer.
        return deadLetters.nodes.find(({ eventId }) => eventId === first)?.id;
      });
      await until('the subscription is switched off', async () => {
        const off = 'select from webhook_subscription where id = $1 and disabled_reason is not null';
        return (await this.test.app.pool.query(off, [subscriptionId])).rowCount === 1;
      });
      await this.run(
        'updateWebhookSubscription',
        'UpdateWebhookSubscriptionInput',
        { id: subscriptionId, enabled: true },
        'id',
      );
      return id;
    } finally {
      receiver.close();
    }
  }
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}
