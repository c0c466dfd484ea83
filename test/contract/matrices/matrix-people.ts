import { randomUUID } from 'node:crypto';
import type { Client } from '../../support/client.js';
import { buildMember, type TestUser, type World } from '../../support/factories/factories.js';
import type { TestApp } from '../../support/test-app.js';

/** Creates members and people for a matrix, with the helpers for creating everything else. */
export class MatrixPeople {
  constructor(
    protected readonly test: TestApp,
    protected readonly world: World,
    /** Who will send the request, if the arguments depend on it. */
    private readonly caller: TestUser | null,
  ) {}

  get projectId(): string {
    return this.world.projectId;
  }

  get organizationId(): string {
    return this.world.organizationId;
  }

  name(): string {
    return `Matrix ${randomUUID().slice(0, 8)}`;
  }

  slug(): string {
    return `matrix_${randomUUID().slice(0, 8)}`;
  }

  email(): string {
    return `${this.slug()}@example.com`;
  }

  async credentials(): Promise<Record<string, unknown>> {
    const { email, password } = this.caller ?? this.world.owner;
    return { email, password };
  }

  /** Changes the caller's password to its current value. */
  async passwordChange(): Promise<Record<string, unknown>> {
    const { password } = this.caller ?? this.world.owner;
    return { currentPassword: password, newPassword: password };
  }

  async member(): Promise<string> {
    return (await buildMember(this.test, this.world, 'viewer')).id;
  }

  /** A membership of a user with a separate role in the project. */
  async membership(): Promise<string> {
    const input = { userId: await this.member(), projectId: this.projectId, role: 'editor' };
    return (await this.run<{ id: string }>('changeMemberRole', 'ChangeMemberRoleInput', input, 'id')).id;
  }

  /** An event in the live environment. */
  async event(): Promise<string> {
    const distinctId = this.slug();
    await this.send('/api/v1/batch', {
      operations: [{ type: 'track', payload: { event_name: 'opened', distinct_id: distinctId } }],
    });
    const { events } = await this.owner.graphql<{ events: { nodes: { id: string }[] } }>(
      'query($p: ID!, $d: String) { events(projectId: $p, distinctId: $d) { nodes { id } } }',
      { p: this.projectId, d: distinctId },
    );
    return events.nodes[0]?.id ?? '';
  }

  async ingestionWarning(): Promise<string> {
    await this.send('/api/v1/batch', {
      operations: [{ type: 'track', payload: { event_name: 'opened', distinct_id: 'null' } }],
    });
    await this.test.app.services.warnings.flush();
    const { ingestionWarnings } = await this.owner.graphql<{ ingestionWarnings: { nodes: { id: string }[] } }>(
      'query($p: ID!) { ingestionWarnings(projectId: $p, first: 1) { nodes { id } } }',
      { p: this.projectId },
    );
    return ingestionWarnings.nodes[0]?.id ?? '';
  }

  async storedDocument(): Promise<string> {
    const { storeDocuments } = await this.world.operator.graphql<{ storeDocuments: { id: string }[] }>(
      'mutation($i: StoreDocumentsInput!) { storeDocuments(input: $i) { id } }',
      { i: { app: 'dashboard', version: '1', documents: ['{ me { id } }'] } },
    );
    return storeDocuments[0]?.id ?? '';
  }

  /** A person in the live environment, by their only id. */
  async person(): Promise<{ projectId: string; environment: string; distinctId: string }> {
    const distinctId = this.slug();
    await this.send('/api/v1/people', { distinct_id: distinctId, properties: { plan: 'pro' } });
    return { projectId: this.projectId, environment: 'live', distinctId };
  }

  async personId(): Promise<string> {
    const { person } = await this.owner.graphql<{ person: { id: string } }>(
      'query($projectId: ID!, $environment: Environment!, $distinctId: String!) { person(projectId: $projectId, environment: $environment, distinctId: $distinctId) { id } }',
      await this.person(),
    );
    return person.id;
  }

  /** A person with two ids; returns the alias. */
  async joinedPerson(): Promise<{ projectId: string; environment: string; distinctId: string }> {
    const { distinctId, ...place } = await this.person();
    const alias = this.slug();
    await this.send('/api/v1/alias', { distinct_id: distinctId, alias_id: alias });
    return { ...place, distinctId: alias };
  }

  cohort(): Promise<string> {
    const input = { projectId: this.projectId, name: this.slug(), distinctIds: ['user-1'] };
    return this.idOf('createCohort', 'CreateCohortInput', input);
  }

  protected async send(path: string, body: object): Promise<void> {
    const answer = await this.world.live.post(path, body);
    if (answer.status >= 300) throw new Error(`${path} answered ${answer.status} ${answer.text}`);
  }

  protected async idOf(operation: string, inputType: string, input: object): Promise<string> {
    return (await this.run<{ id: string }>(operation, inputType, input, 'id')).id;
  }

  protected get owner(): Client {
    return this.world.owner.client;
  }

  protected async run<T>(operation: string, inputType: string, input: object, selection: string): Promise<T> {
    const query = `mutation($input: ${inputType}!) { ${operation}(input: $input) { ${selection} } }`;
    const answer = await this.owner.graphql<Record<string, T>>(query, { input });
    return answer[operation] as T;
  }
}
