import { DECISION_MODULES } from '../decision-modules.js';

/** The modules whose changes a client is notified of: those of the handshake, and the list of surveys. */
export const STREAM_MODULES = [...DECISION_MODULES, 'surveys'] as const;
export type StreamModule = (typeof STREAM_MODULES)[number];

/** A short text that changes with a module's answers; equal in every process. Empty: not known. */
export type Versions = Readonly<Record<StreamModule, string>>;

const PART = /^[A-Za-z0-9_-]{0,16}$/;

/** The versions as one text, the `id` of events: what a client has seen, whatever the source. */
export const positionOf = (versions: Versions): string => STREAM_MODULES.map((module) => versions[module]).join('.');

/** Parses a position; null for a text that isn't one. Modules it doesn't name count as seen. */
export function versionsAt(position: string): Versions | null {
  const parts = position.split('.');
  if (parts.length !== STREAM_MODULES.length || !parts.every((part) => PART.test(part))) return null;
  return Object.fromEntries(STREAM_MODULES.map((module, at) => [module, parts[at] as string])) as Versions;
}

export function changedModules(
  seen: Versions,
  now: Versions,
  modules: ReadonlySet<StreamModule> | null,
): readonly StreamModule[] {
  return STREAM_MODULES.filter(
    (module) => seen[module] !== '' && seen[module] !== now[module] && (modules === null || modules.has(module)),
  );
}

/** The modules in a comma-separated query parameter; null for all of them, also if it names none. */
export function requestedModules(text: string | null): ReadonlySet<StreamModule> | null {
  if (text === null || text.trim() === '') return null;
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  return new Set(STREAM_MODULES.filter((module) => names.has(module)));
}
