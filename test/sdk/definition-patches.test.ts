import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { followingDefinitions, type TaggedDefinitions } from '../../src/sdk/node/definition-patch.js';
import type { Client } from '../support/client.js';
import { EventStream, type StreamEvent } from '../support/event-stream.js';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import { buildKey, buildProject, type World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { until } from '../support/until.js';

const x = worldSuite('definitions by patches');

const PATH = '/api/v1/switch/definitions';
const RUNS = 6;

type Step = { what: 'flag' | 'item' | 'value' | 'halt' | 'archive' | 'cohort' | 'reconnect' | 'forget'; at: number };

const steps = fc.array(
  fc.record({
    what: fc.constantFrom<Step['what']>(
      'flag',
      'flag',
      'item',
      'value',
      'halt',
      'archive',
      'cohort',
      'cohort',
      'reconnect',
      'forget',
    ),
    at: fc.nat(9),
  }),
  { minLength: 3, maxLength: 14 },
);

/** A client that knows only what its stream has brought. */
class Follower {
  known: TaggedDefinitions | null = null;
  private stream: EventStream | null = null;
  private taken = 0;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async connect(given?: string): Promise<void> {
    this.close();
    const position = given ?? this.known?.etag;
    const headers = { 'x-api-key': this.key, ...(position ? { 'last-event-id': position } : {}) };
    this.stream = await EventStream.open(`${this.url}${PATH}/stream`, headers);
    this.taken = 0;
  }

  take(): void {
    for (const { event, data } of (this.stream?.events ?? []).slice(this.taken) as StreamEvent[]) {
      this.taken += 1;
      if (event === 'ready') continue;
      this.known = followingDefinitions(this.known, event, JSON.stringify(data));
      assert.ok(this.known, `${event} builds on what was known`);
    }
  }

  close(): void {
    this.take();
    this.stream?.close();
  }
}

x('equal a full answer byte for byte, after any changes and lost connections', async ({ test, world }) => {
  await fc.assert(
    fc.asyncProperty(steps, async (chosen) => {
      const project = await buildProject(world);
      const key = await buildKey(project.owner, project.projectId, 'live', ['definitions']);
      const follower = new Follower(test.baseUrl, key);
      await follower.connect();
      const desk = new Desk(project);
      for (const { what, at } of chosen) {
        if (what === 'reconnect') await follower.connect();
        else if (what === 'forget') await follower.connect('unheard-of');
        else await desk.change(what, at);
      }
      const { text, headers } = await project.live.withKey(key).get(PATH);
      await until('the last change', () => {
        follower.take();
        return follower.known?.etag === headers.get('etag');
      });
      const { flags, config, cohorts } = follower.known?.definitions ?? {};
      assert.is(JSON.stringify({ project_id: project.projectId, environment: 'live', flags, config, cohorts }), text);
      follower.close();
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

/** Changes flags and items, creating those that do not exist yet. */
class Desk {
  private readonly flags: { id: string; key: string; archived: boolean; halted: boolean }[] = [];
  private readonly items: string[] = [];
  private readonly cohorts: string[] = [];
  private value = 0;
  private readonly client: Client;

  constructor(private readonly project: World) {
    this.client = project.owner.client;
  }

  async change(what: Exclude<Step['what'], 'reconnect' | 'forget'>, at: number): Promise<void> {
    const flag = this.flags[at % Math.max(1, this.flags.length)];
    const item = this.items[at % Math.max(1, this.items.length)];
    if (what === 'value' && item) {
      this.value += 1;
      await this.run('updateConfigItem', 'UpdateConfigItemInput', { id: item, value: String(this.value) });
    } else if (what === 'halt' && flag && !flag.archived) {
      await (flag.halted
        ? this.run('resumeFlag', 'ResumeFlagInput', { flagId: flag.id })
        : this.run('haltFlag', 'HaltFlagInput', { flagId: flag.id, reason: 'test' }));
      flag.halted = !flag.halted;
    } else if (what === 'archive' && (flag || item)) {
      if (flag && !flag.archived) {
        await this.run('archiveFlag', 'FlagIdInput', { flagId: flag.id });
        flag.archived = true;
      } else if (item) {
        await this.run('archiveConfigItem', 'IdInput', { id: item });
        this.items.splice(this.items.indexOf(item), 1);
      }
    } else if (what === 'cohort') {
      const cohort = this.cohorts[at];
      if (cohort) {
        const rules = [{ percentage: this.value++ % 100 }];
        await this.run('updateCohort', 'UpdateCohortInput', { id: cohort, distinctIds: [`id-${this.value}`], rules });
        return;
      }
      const name = `${'zaM_k'[at % 5]}${this.cohorts.length}`;
      this.cohorts.push(await buildCohort(this.project, { name, distinctIds: [`id-${at}`] }));
      await buildFlag(this.project, {
        key: `asks-${name}`,
        rules: [{ conditions: [{ attribute: 'cohort', operator: 'in', values: [name] }], variant: 'on' }],
      });
    } else if (what === 'flag' || what === 'halt') {
      // Keys that sort before and after the existing ones.
      const made = await buildFlag(this.project, { key: `${'zaM_k'[at % 5]}${this.flags.length}` });
      this.flags.push({ ...made, archived: false, halted: false });
    } else {
      const { id } = await buildConfigItem(this.project, { key: `${'zak'[at % 3]}.${this.value++}` });
      this.items.push(id);
    }
  }

  private run(name: string, input: string, given: object): Promise<unknown> {
    return this.client.graphql(`mutation($i: ${input}!) { ${name}(input: $i) { id } }`, { i: given });
  }
}

x.run();
