import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

export interface SchemaVersions {
  /** The last release's schema; its first line is a comment with the version, such as `# 0.1.0`. */
  released: string;
  current: string;
  /** The version that the current schema will be released as. */
  version: string;
  /**
   * A page of the intended changes: a heading for each reason, with the inspector's exact messages as list items below
   * it.
   */
  meant: string;
}

/**
 * Problems with how the schema changed since the last release, one line each. Changes that can break a client must be
 * declared, and the version must allow them: a new major version or, before 1.0.0, a new minor one
 * (https://semver.org).
 */
export async function schemaFaults({ released, current, version, meant }: SchemaVersions): Promise<string[]> {
  const before = /^# (\d+\.\d+\.\d+)\n/.exec(released)?.[1];
  if (before === undefined)
    return ['docs/released-schema.graphql does not begin with the version that it is of, as # 0.1.0'];
  const mayBreak = promiseOf(before) !== promiseOf(version);
  const changes = await diff(buildSchema(released), buildSchema(current));
  const breaking = new Set(
    changes
      .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
      .map(({ message }) => message.replaceAll(/\s+/g, ' ')),
  );
  const listed = itemsOf(meant);
  return [
    ...[...breaking].flatMap((message) => {
      if (!mayBreak) return [`${message}: keep it and deprecate it, or raise the version`];
      return listed.has(message)
        ? []
        : [`${message}: keep it and deprecate it, or say in docs/breaking-changes.md why it is meant`];
    }),
    ...[...listed].flatMap(([message, reason]) => {
      if (!breaking.has(message))
        return [`${message}: docs/breaking-changes.md has it, but it is no change that breaks`];
      return reason ? [] : [`${message}: docs/breaking-changes.md gives no reason above it`];
    }),
  ];
}

/** The list items of a page, each with the text up to the next one and the heading above. */
function itemsOf(page: string): Map<string, string> {
  const items = new Map<string, string>();
  for (const section of page.split(/^## /m).slice(1)) {
    const [text = '', ...own] = section.split(/^- /m);
    const [, ...reason] = text.split('\n');
    for (const item of own) items.set(item.trim(), reason.join('\n').trim());
  }
  return items;
}

/** The part of a version that must change before anything may break. */
function promiseOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}
