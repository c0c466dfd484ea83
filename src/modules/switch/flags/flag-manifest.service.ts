import { isEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { authorize } from '../../access/guard.js';
import { chosenProject } from '../../access/projects/project-choice.js';
import { switchFailure } from '../switch.errors.js';
import { Flag } from './flag.entity.js';

/** Types of flags in OpenFeature's manifests; `object` stands for any other JSON (open-feature/cli, schema/v0). */
export const MANIFEST_TYPES = ['boolean', 'string', 'integer', 'float', 'object'] as const;
export type ManifestType = (typeof MANIFEST_TYPES)[number];

/** A flag as needed by generators of typed clients. */
export interface ManifestFlag {
  readonly key: string;
  readonly type: ManifestType;
  readonly description: string;
  readonly defaultValue: unknown;
}

/** Lists the flags for generators of typed clients (docs/rest.md, OpenFeature). */
export class FlagManifestService {
  /**
   * The unarchived flags of an environment, by key. The project is the token's own, the named one, or the only one. Fails with
   * `project_required`, `project_not_found`, `halt_bad_environment`.
   */
  async manifest(ctx: Context, named: string | null, environment: string): Promise<ManifestFlag[]> {
    if (!isEnvironment(environment)) throw switchFailure('halt_bad_environment');
    const { id } = await authorize(ctx, 'switch.flag.view', await chosenProject(ctx, named));
    const flags = await ctx.em.find(
      Flag,
      { projectId: id, environment, isArchived: false },
      { orderBy: { key: 'asc' } },
    );
    return flags.map(({ key, description, variants, defaultVariant }) => ({
      key,
      type: typeOf(variants.map(({ value }) => value)),
      description: inComment(description),
      defaultValue: variants.find((variant) => variant.key === defaultVariant)?.value ?? null,
    }));
  }
}

/** Generators write descriptions into one-line comments, and into blocks that these marks would end. */
const inComment = (text: string): string =>
  text.replace(/\s+/g, ' ').trim().replaceAll('*/', '* /').replaceAll('"""', "'''");

function typeOf(values: readonly unknown[]): ManifestType {
  const all = (holds: (value: unknown) => boolean) => values.every(holds);
  if (all((value) => typeof value === 'boolean')) return 'boolean';
  if (all((value) => typeof value === 'string')) return 'string';
  if (all(Number.isInteger)) return 'integer';
  return all((value) => typeof value === 'number') ? 'float' : 'object';
}
