/** The modules whose decisions the handshake consolidates, in the order of the answer (docs/rest.md, Handshake). */
export const DECISION_MODULES = ['switch', 'config', 'deploy', 'catch', 'analytics'] as const;

export type DecisionModule = (typeof DECISION_MODULES)[number];

/** Every requested selection of modules, once: answers record which one they are of. */
const selections = new Map<string, readonly DecisionModule[]>();

/**
 * Parses the query parameter `installed`, a comma-separated list of modules: only those are answered, in the usual order. Unknown names are
 * ignored; if it is absent or blank, all are answered.
 */
export function installedModules(installed: string | null | undefined): readonly DecisionModule[] {
  if (installed == null || installed.trim() === '') return DECISION_MODULES;
  const wanted = new Set(installed.split(',').map((name) => name.trim().toLowerCase()));
  const modules = DECISION_MODULES.filter((name) => wanted.has(name));
  const key = modules.join();
  const known = selections.get(key);
  if (known) return known;
  selections.set(key, modules);
  return modules;
}
