import type { ProjectEnvironment } from '../../kernel/actor.js';
import type { Statement } from '../../kernel/context.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { idLoader } from '../access/graph/id-loader.js';
import { visibleNode } from '../access/visible-node.js';
import { Release } from './release.entity.js';

const RELEASES = Symbol('releases by version');

const BY_VERSION: Statement = {
  name: 'releases-by-version',
  text: `select named.place, r.id
           from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as named(project_id, environment, version, place)
           join deploy_release r using (project_id, environment, version)`,
};

/** The release with this version, in an environment of a project; null if there is none that the caller may see. */
export async function releaseOf(
  operation: OperationContext,
  { projectId, environment }: ProjectEnvironment,
  version: string | null,
): Promise<Release | null> {
  if (!version) return null;
  const id = await idLoader(operation, RELEASES, BY_VERSION).load([projectId, environment, version]);
  return visibleNode(operation.current, Release, id);
}
