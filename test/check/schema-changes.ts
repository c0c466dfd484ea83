import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/**
 * Changes of the schema that could break a client of the last release, a line each; none where the version allows them: another major
 * one, and before 1.0.0 another minor one (https://semver.org).
 *
 * @param released the last release's schema; its first line is a comment with the version, as `# 0.1.0`
 */
export async function breakingChanges(released: string, current: string, version: string): Promise<string[]> {
  const before = /^# (\d+\.\d+\.\d+)\n/.exec(released)?.[1];
  if (before === undefined)
    return ['docs/released-schema.graphql does not begin with the version that it is of, as # 0.1.0'];
  if (promiseOf(before) !== promiseOf(version)) return [];
  const changes = await diff(buildSchema(released), buildSchema(current));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => `${message}: keep it and deprecate it, or raise the version`);
}

/** The part of a version within which nothing breaks. */
function promiseOf(version: string): string {
  const [major, minor] = version.split('.');
  return major === '0' ? `0.${minor}` : `${major}`;
}
