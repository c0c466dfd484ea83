import { constantSlicer, type Member, mapSlicer, type Slicer } from './slice.js';

/** A config item as decisions need it; values are text as on the wire (docs/rest.md, Remote config). */
export interface ConfigDefinition {
  readonly key: string;
  readonly type: string;
  readonly version: number;
  readonly value: string;
  readonly rule: { readonly cohort: string; readonly value: string } | null;
}

/** Why a config item has the value it has. */
export type ConfigReason = 'default' | 'rule';

/** Answers `{enabled, values:{key:{value,type,version,reason}}, etag}` with typed values (docs/rest.md, Handshake). */
export function configSlicer(enabled: boolean, items: readonly ConfigDefinition[]): Slicer {
  if (!enabled) return constantSlicer('{"enabled":false,"values":{}');
  return mapSlicer('{"enabled":true,"values":{', items.map(member));
}

function member(item: ConfigDefinition): Member {
  const standard = decisionText(item, item.value, 'default');
  const { rule } = item;
  if (rule === null) return { texts: [standard], choose: () => 0 };
  return {
    texts: [standard, decisionText(item, rule.value, 'rule')],
    choose: ({ cohorts }) => (cohorts.has(rule.cohort) ? 1 : 0),
  };
}

/** The stored text is embedded as it is, so that large integers keep every digit. */
function decisionText({ key, type, version }: ConfigDefinition, value: string, reason: ConfigReason): string {
  const typed = type === 'string' ? JSON.stringify(value) : jsonOrNull(value);
  return `${JSON.stringify(key)}:{"value":${typed},"type":${JSON.stringify(type)},"version":${version},"reason":"${reason}"}`;
}

function jsonOrNull(text: string): string {
  try {
    JSON.parse(text);
    return text.trim();
  } catch {
    return 'null';
  }
}
