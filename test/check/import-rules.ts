import { circles, type ImportEdge } from './module-graph.js';

/** The floors of the architecture, lowest first: a file imports only from its own floor and those below. */
const floors: readonly { name: string; holds: RegExp }[] = [
  { name: 'env', holds: /^src\/env\.ts$/ },
  { name: 'symbols', holds: /^src\/symbols\// },
  { name: 'targeting', holds: /^src\/targeting\// },
  { name: 'kernel', holds: /^src\/kernel\// },
  { name: 'storage', holds: /^src\/storage\// },
  { name: 'jobs', holds: /^src\/jobs\// },
  { name: 'events', holds: /^src\/events\// },
  { name: 'modules', holds: /^src\/modules\// },
  { name: 'graphql', holds: /^src\/graphql\// },
  {
    name: 'app',
    holds:
      /^src\/(?!(?:env|server|worker|main)\.ts$)[^/]+\.ts$|^src\/(?:migrations|compose|first-run|http|installation)\//,
  },
  { name: 'rest', holds: /^rest\// },
  { name: 'server, worker', holds: /^src\/(?:server|worker)\.ts$/ },
  { name: 'main', holds: /^src\/main\.ts$/ },
];

/** Pure folders that could become packages of their own. */
const packagesInWaiting = ['src/symbols/', 'src/targeting/'];

/** Code for browsers and client libraries: each folder with the other folders that it may import. */
const clientFolders: Readonly<Record<string, readonly string[]>> = {
  'src/playground/': [],
  'src/sdk/': ['src/targeting/'],
  'src/demo/': ['src/sdk/'],
  'src/console/': ['src/sdk/'],
};

const firstModules = ['access', 'quotas'];
const lastModules = ['handshake', 'graph'];

/** Side-by-side modules share a rank. A module imports only itself and modules of a lower rank. */
function rankOfModule(name: string): number {
  if (firstModules.includes(name)) return firstModules.indexOf(name);
  return firstModules.length + (lastModules.includes(name) ? 1 : 0);
}

/** The names of the floors as drawn, from the top down; side-by-side names are separated by a comma. */
export const floorsFromTheTop: readonly string[] = floors.map(({ name }) => name).toReversed();

function floorOf(file: string): number {
  return floors.findIndex(({ holds }) => holds.test(file));
}

function moduleOf(file: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(file)?.[1];
}

function isProduct(file: string): boolean {
  return file.startsWith('src/') || file.startsWith('rest/');
}

function isCli(file: string): boolean {
  return file.startsWith('src/cli/');
}

function clientFolderOf(file: string): string | undefined {
  return Object.keys(clientFolders).find((folder) => file.startsWith(folder));
}

type Rule = (edge: ImportEdge) => string | undefined;

const rules: readonly Rule[] = [
  ({ from, to }) => (isProduct(from) && to.startsWith('test/') ? 'the product never imports its tests' : undefined),
  ({ from, to }) => (isCli(from) && !isCli(to) ? 'the command line stands alone' : undefined),
  ({ from, to }) => (!isCli(from) && isCli(to) && isProduct(from) ? 'nothing imports the command line' : undefined),
  ({ from, to }) =>
    /^src\/(?!server\.ts$)/.test(from) && to.startsWith('rest/') ? 'only server.ts imports rest/' : undefined,
  ({ from, to }) => {
    if (!isProduct(from) || isCli(from) || clientFolderOf(from) || !isProduct(to)) return undefined;
    const [upper, lower] = [floorOf(from), floorOf(to)];
    if (upper === -1) return 'the importing file stands on no floor of the house';
    return lower > upper
      ? `${floors[upper]?.name} never imports ${floors[lower]?.name}: nothing imports upward`
      : undefined;
  },
  ({ from, to }) => {
    const [importer, imported] = [moduleOf(from), moduleOf(to)];
    if (!importer || !imported || importer === imported) return undefined;
    if (rankOfModule(imported) < rankOfModule(importer)) return undefined;
    return `module ${importer} never imports module ${imported}`;
  },
  ({ from, to }) => {
    const room = packagesInWaiting.find((folder) => from.startsWith(folder));
    return room && !to.startsWith(room) ? `${room} imports nothing of the house` : undefined;
  },
  ({ from, to }) => {
    const [here, there] = [clientFolderOf(from), clientFolderOf(to)];
    if (here === there || !isProduct(from) || !isProduct(to)) return undefined;
    if (!here) return `nothing of the server imports ${there}`;
    const open = clientFolders[here]?.some((folder) => to.startsWith(folder));
    return open
      ? undefined
      : `${here} is code for clients and imports nothing of the house but ${clientFolders[here]?.join(', ') || 'itself'}`;
  },
  ({ from, to }) => {
    const pair = /^src\/(?:server|worker)\.ts$/;
    return pair.test(from) && pair.test(to) && from !== to ? 'server and worker stand side by side' : undefined;
  },
  ({ from, to }) =>
    from.startsWith('src/migrations/') && !/^src\/(?:kernel|migrations)\//.test(to)
      ? 'a migration must not change when the code above it does'
      : undefined,
];

/**
 * The sibling folders where the paths of two files diverge, as `src/a/b src/a/c`; undefined if one file is directly in
 * a parent folder of the other.
 */
function partedRooms({ from, to }: ImportEdge): string | undefined {
  const [here, there] = [from, to].map((file) => file.split('/').slice(0, -1)) as [string[], string[]];
  const at = here.findIndex((part, index) => part !== there[index]);
  if (at < 1 || there[at] === undefined) return undefined;
  return `${here.slice(0, at + 1).join('/')} ${there.slice(0, at + 1).join('/')}`;
}

/** Sibling folders of the product that import each other: imports between two folders must go one way. */
export function roomFaults(edges: readonly ImportEdge[]): string[] {
  const ways = new Set(
    edges.filter(({ from, to }) => isProduct(from) && isProduct(to)).flatMap((edge) => partedRooms(edge) ?? []),
  );
  const turned = (way: string) => way.split(' ').toReversed().join(' ');
  return [...ways]
    .filter((way) => way < turned(way) && ways.has(turned(way)))
    .map((way) => `sibling folders import each other: ${way.replace(' ', ' ↔ ')}`);
}

/** Every breach of the import rules in words, with file and line; import cycles last. */
export function importFaults(edges: readonly ImportEdge[]): string[] {
  const breaches = edges.flatMap((edge) =>
    rules.flatMap((rule) => {
      const reason = rule(edge);
      return reason ? [`${edge.from}:${edge.line} imports ${edge.to}: ${reason}`] : [];
    }),
  );
  return [...breaches, ...circles(edges).map((group) => `imports in a circle: ${group.join(' ↔ ')}`)];
}
