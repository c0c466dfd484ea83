import { DECISION_MODULES } from '../decision-modules.js';

/** The modules whose changes a client is told about: those of the handshake, and the list of surveys. */
export const STREAM_MODULES = [...DECISION_MODULES, 'surveys'] as const;
export type StreamModule = (typeof STREAM_MODULES)[number];

/** What a module's answers are made from, as a short text that changes with it; equal in every process. Empty: not known. */
export type Versions = Readonly<Record<StreamModule, string>>;

const PART = /^[A-Za-z0-9_-]{0,16}$/;

/** The versions as one text, the `id` of events: what a client has seen, whoever told it. */
export const positionOf = (versions: Versions): string => STREAM_MODULES.map((module) => versions[module]).join('.');

/** Reads a position; null for a text that is not one. What it does not name counts as seen. */
export function versionsAt(position: string): Versions | null {
  const parts = position.split('.');
  if (parts.length !== STREAM_MODULES.length || !parts.every((part) => PART.test(part))) return null;
  return Object.fromEntries(STREAM_MODULES.map((module, at) => [module, parts[at] as string])) as Versions;
}

/** The modules that differ, of those that are asked for. */
export function changedModules(
  seen: Versions,
  now: Versions,
  asked: ReadonlySet<StreamModule> | null,
): readonly StreamModule[] {
  return STREAM_MODULES.filter(
    (module) => seen[module] !== '' && seen[module] !== now[module] && (asked === null || asked.has(module)),
  );
}

/** The modules that a query names, with commas; null for all of them, as for a text without any. */
export function askedModules(text: string | null): ReadonlySet<StreamModule> | null {
  if (text === null || text.trim() === '') return null;
  const names = new Set(text.split(',').map((name) => name.trim().toLowerCase()));
  return new Set(STREAM_MODULES.filter((module) => names.has(module)));
}
