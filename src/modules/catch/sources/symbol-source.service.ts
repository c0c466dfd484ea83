import { randomBytes } from 'node:crypto';
import type { EventLog } from '../../../events/event-log.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { ENVIRONMENTS } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { FetchFailed, type PinnedFetch } from '../../../kernel/outbound/pinned-fetch.js';
import type { AddressGuard } from '../../../kernel/outbound/target-address.js';
import { isRefusal, readTarget } from '../../../kernel/outbound/target-url.js';
import type { Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { catchFailure } from '../catch.errors.js';
import { reprocessMissingImages } from '../symbols/pending-events.sql.js';
import { forgetAnswers } from '../symbols/source-answers.sql.js';
import { ABSENT, SOURCE_LAYOUTS, USER_AGENT } from './source-layouts.js';
import { SymbolSource } from './symbol-source.entity.js';
import {
  type CreateSymbolSourceInput,
  SYMBOL_SOURCES,
  type SymbolSourceTest,
  type UpdateSymbolSourceInput,
} from './symbol-source-list.js';

const MOST_SOURCES = 20;
const TEST_MS = 10_000;

/** The symbol servers of a project. Only admins see or change them: a URL may be secret. */
export class SymbolSourceService {
  private readonly rows = new ProjectRows(SymbolSource, 'sso', () => catchFailure('symbol_source_not_found'));

  constructor(
    private readonly events: EventLog,
    private readonly jobs: JobQueue,
    private readonly guard: AddressGuard,
    private readonly client: PinnedFetch,
  ) {}

  /** Oldest first, the order in which they are used. */
  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<SymbolSource>> {
    return listOfOwner(operation, 'catch.symbol_source.view', SYMBOL_SOURCES, projectId, args);
  }

  /** Fails with `symbol_source_not_found`. */
  get(ctx: Context, id: string): Promise<SymbolSource> {
    return this.rows.get(ctx, 'catch.symbol_source.view', id);
  }

  /** A new source; recent crashes with missing symbols are checked again. Fails with `bad_symbol_source`, `too_many_symbol_sources`. */
  async create(ctx: Context, input: CreateSymbolSourceInput): Promise<SymbolSource> {
    const project = await authorize(ctx, 'catch.symbol_source.manage', input.projectId);
    const url = this.checkedUrl(input.url);
    await ctx.em.execute('select from project where id = ? for update', [project.id]);
    if ((await ctx.em.count(SymbolSource, { projectId: project.id })) >= MOST_SOURCES)
      throw catchFailure('too_many_symbol_sources', { limit: MOST_SOURCES });
    const source = ctx.em.create(SymbolSource, {
      projectId: project.id,
      name: storableText(input.name),
      layout: input.layout,
      url,
      isEnabled: true,
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'catch.symbol_source.created', aboutSource(project, source), null, settingsOf(source));
    await ctx.em.flush();
    await this.refetchMissing(ctx, project.id);
    return source;
  }

  /** Changes the given fields; the layout stays. A new URL discards what the old one was found not to have. Fails like {@link create}. */
  async update(ctx: Context, input: UpdateSymbolSourceInput): Promise<SymbolSource> {
    const { row: source, project } = await this.rows.locked(ctx, 'catch.symbol_source.manage', input.id);
    const before = settingsOf(source);
    const wasAsked = source.isEnabled ? source.url : null;
    if (input.name) source.name = storableText(input.name);
    if (input.url) source.url = this.checkedUrl(input.url);
    source.isEnabled = input.isEnabled ?? source.isEnabled;
    this.events.emitChange(
      ctx,
      'catch.symbol_source.changed',
      aboutSource(project, source),
      before,
      settingsOf(source),
    );
    await ctx.em.flush();
    if (source.isEnabled && source.url !== wasAsked) {
      await forgetAnswers(ctx.em, source.id);
      await this.refetchMissing(ctx, project.id);
    }
    return source;
  }

  /** Files it provided stay. Fails with `symbol_source_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: source, project } = await this.rows.locked(ctx, 'catch.symbol_source.manage', id);
    await forgetAnswers(ctx.em, source.id);
    await ctx.em.nativeDelete(SymbolSource, { id: source.id });
    this.events.emitChange(ctx, 'catch.symbol_source.deleted', aboutSource(project, source), settingsOf(source), null);
    return { id: source.id };
  }

  /** Requests a file that doesn't exist anywhere: a working source says that it doesn't have it. Fails with `symbol_source_not_found`. */
  async test(ctx: Context, id: string): Promise<SymbolSourceTest> {
    const { row: source } = await this.rows.visible(ctx, 'catch.symbol_source.manage', id);
    const key = randomBytes(20).toString('hex');
    const image = { kind: 'android_ndk', key, codeId: key, codeFile: 'quarterdeck-test.so' } as const;
    const [path = ''] = SOURCE_LAYOUTS[source.layout].paths(image);
    const startedAt = performance.now();
    const result = (status: number | null, failure: string | null): SymbolSourceTest => ({
      status,
      failure,
      milliseconds: Math.round(performance.now() - startedAt),
    });
    try {
      const { status, body } = await this.client.get(source.url + path, USER_AGENT, AbortSignal.timeout(TEST_MS));
      body.on('error', () => undefined).destroy();
      return result(status, ABSENT.has(status) ? null : `status:${status}`);
    } catch (error) {
      if (error instanceof FetchFailed) return result(null, error.message);
      throw error;
    }
  }

  private async refetchMissing(ctx: Context, projectId: string): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const place = { projectId, environment };
      const marked = await reprocessMissingImages(ctx.em, place, ctx.now());
      if (marked > 0) await this.jobs.enqueue(ctx, 'catch.symbolicate_events', place);
    }
  }

  private checkedUrl(text: string): string {
    const target = readTarget(text, this.guard);
    if (isRefusal(target)) throw catchFailure('bad_symbol_source', { advice: target.advice });
    if (/[?#]/.test(text)) throw catchFailure('bad_symbol_source', { advice: 'Leave out the query and the fragment.' });
    return target.href.replace(/\/*$/, '/');
  }
}

const aboutSource = (project: Project, source: SymbolSource) => ({
  project,
  object: { type: 'symbol_source', id: source.id },
  data: { id: source.id, name: source.name },
});

/** The part shown in the audit log; the paths of such URLs may be secret. */
const settingsOf = ({ name, layout, url, isEnabled }: SymbolSource): object => ({
  name,
  layout,
  url: new URL(url).origin,
  isEnabled,
});
