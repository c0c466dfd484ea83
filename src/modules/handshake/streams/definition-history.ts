import { LRUCache } from 'lru-cache';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { WrittenByKey, WrittenDefinitions } from '../definitions.js';

/** What is kept per place: enough for clients that were disconnected for a while. */
const KEPT_VERSIONS = 32;
const KEPT_PLACES = 1_000;

/** The definitions this process has sent recently, so that it can tell what has changed since. */
export class DefinitionHistory {
  private readonly places = new LRUCache<string, WrittenDefinitions[]>({ max: KEPT_PLACES });

  /** Stores definitions as the latest of their place. */
  record({ projectId, environment }: ProjectEnvironment, written: WrittenDefinitions): void {
    const key = `${projectId} ${environment}`;
    const versions = this.places.get(key) ?? [];
    if (versions.at(-1)?.etag === written.etag) return;
    versions.push(written);
    versions.splice(0, versions.length - KEPT_VERSIONS);
    this.places.set(key, versions);
  }

  /** The definitions of a place with an entity tag, if still known. */
  find({ projectId, environment }: ProjectEnvironment, etag: string): WrittenDefinitions | null {
    return this.places.get(`${projectId} ${environment}`)?.findLast((written) => written.etag === etag) ?? null;
  }
}

/** The difference between two sets of definitions, as JSON text (docs/rest.md, Definitions). */
export function patchText(from: WrittenDefinitions, to: WrittenDefinitions): string {
  const flags = changesText(from.flags, to.flags);
  const config = changesText(from.config, to.config);
  const cohorts = changesText(from.cohorts, to.cohorts);
  const tags = `"from":${JSON.stringify(from.etag)},"etag":${JSON.stringify(to.etag)}`;
  return `{${tags},"flags":${flags},"config":${config},"cohorts":${cohorts}}`;
}

function changesText(from: WrittenByKey, to: WrittenByKey): string {
  const put = [...to].filter(([key, text]) => from.get(key) !== text).map(([, text]) => text);
  const gone = [...from.keys()].filter((key) => !to.has(key));
  return `{"put":[${put.join(',')}],"delete":${JSON.stringify(gone)}}`;
}
