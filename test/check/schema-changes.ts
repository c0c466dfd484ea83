import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

export interface SchemaVersions {
  /** The last release's schema; its first line is a comment with the version, as `# 0.1.0`. */
  released: string;
  current: string;
  /** That the current schema is going to be released under. */
  version: string;
  /** A page of the changes that are meant: under a heading for each reason, the inspector's own words as items of a list. */
  meant: string;
}

/**
 * What is wrong with how the schema changed since the last release, a line each: what could break a client of it has to be meant, and the
 * version has to allow it, by another major number, or before 1.0.0 another minor one (https://semver.org).
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

/** The list items of a page, with the text between them and the heading above. */
function itemsOf(page: string): Map<string, string> {
  const items = new Map<string, string>();
  for (const section of page.split(/^## /m).slice(1)) {
    const [text = '', ...own] = section.split(/^- /m);
    const [, ...reason] = text.split('\n');
    for (const item of own) items.set(item.trim(), reason.join('\n').trim());
  }
  return items;
}

/** The part of a version within which nothing may break. */
function promiseOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}
