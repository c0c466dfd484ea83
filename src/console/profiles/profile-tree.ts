/** A function in a call tree, with the time spent in it and below it. */
export interface ProfileNode {
  name: string;
  /** Time or samples, in the function and all it called. */
  total: number;
  children: ProfileNode[];
}

/** Thrown for a profile that can't be drawn; the message says why. */
export class NotDrawn extends Error {}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url?: string; lineNumber?: number }; children?: number[] }[];
  samples: number[];
  startTime?: number;
  endTime?: number;
  /** Microseconds before each sample; for the first, since the start. */
  timeDeltas?: number[];
}

interface SampledProfile {
  samples: number[][];
  weights?: number[];
}

interface Speedscope {
  shared: { frames: { name: string }[] };
  profiles: (SampledProfile & { type: string })[];
}

/** Functions called deeper count towards their caller. */
const DEEPEST = 200;
const LONGEST_NAME = 500;
const MOST_NODES = 500_000;

/**
 * The call tree of a V8 profile (`.cpuprofile`) or a sampled speedscope profile. Anyone with a public key can send
 * one, so the time it takes is limited by its length, whatever its contents.
 *
 * @throws NotDrawn, or any error from reading a malformed profile
 */
export function treeOf(profile: unknown): ProfileNode {
  const calls = new Calls();
  if (isCpuProfile(profile)) addCpuProfile(calls, profile);
  else if (isSpeedscope(profile)) addSpeedscope(calls, profile);
  else throw new NotDrawn("This isn't a V8 profile or a sampled speedscope profile. Download it instead.");
  return calls.summed();
}

const isCpuProfile = (value: unknown): value is CpuProfile => {
  const { nodes, samples } = (value ?? {}) as Partial<CpuProfile>;
  return Array.isArray(nodes) && Array.isArray(samples);
};

const isSpeedscope = (value: unknown): value is Speedscope => {
  const { shared, profiles } = (value ?? {}) as Partial<Speedscope>;
  return Array.isArray(shared?.frames) && Array.isArray(profiles) && profiles.some(({ type }) => type === 'sampled');
};

function addCpuProfile(calls: Calls, profile: CpuProfile): void {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const places = new Map<number, Place>();
  const placeOf = (id: number): Place => {
    const way = new Set<number>();
    let at: number | undefined = id;
    // A malformed profile may list a node as its own child.
    while (at !== undefined && !places.has(at) && !way.has(at)) {
      way.add(at);
      at = parents.get(at);
    }
    let place = (at === undefined ? undefined : places.get(at)) ?? calls.root;
    for (const next of [...way].reverse()) {
      const name = byId.get(next)?.callFrame.functionName;
      if (name !== undefined && name !== '(root)') place = calls.below(place, name || '(anonymous)');
      places.set(next, place);
    }
    return place;
  };
  const times = timesOf(profile);
  for (const [at, id] of profile.samples.entries()) calls.add(placeOf(id), times[at] ?? 0);
}

/**
 * How long each sample lasted: until the next one, and the last until the end. A sample that V8 reports late, out of
 * order, lasts no time.
 */
function timesOf({ samples, timeDeltas, startTime = 0, endTime }: CpuProfile): readonly number[] {
  if (!timeDeltas) return samples.map(() => 1);
  const times: number[] = [];
  let now = finite(startTime) + finite(timeDeltas[0] ?? 0);
  let latest = now;
  for (let at = 1; at < samples.length; at += 1) {
    now += finite(timeDeltas[at] ?? 0);
    times.push(Math.max(0, now - latest));
    latest = Math.max(latest, now);
  }
  times.push(Math.max(0, finite(endTime ?? latest) - latest));
  return times;
}

function addSpeedscope(calls: Calls, { shared, profiles }: Speedscope): void {
  for (const { type, samples, weights } of profiles) {
    if (type !== 'sampled') continue;
    for (const [at, stack] of samples.entries()) {
      let place = calls.root;
      for (const frame of stack.slice(0, DEEPEST)) place = calls.below(place, shared.frames[frame]?.name ?? '?');
      calls.add(place, weights?.[at] ?? 1);
    }
  }
}

interface Place {
  node: ProfileNode;
  parent: Place | null;
  depth: number;
  byName: Map<string, Place> | null;
}

const placeFor = (name: string, parent: Place | null): Place => ({
  node: { name, total: 0, children: [] },
  parent,
  depth: parent ? parent.depth + 1 : 0,
  byName: null,
});

/** A call tree under construction. */
class Calls {
  readonly root = placeFor('all', null);
  /** Nodes, each after its parent. */
  private readonly places: Place[] = [];

  /** The node of a function called from another; the parent itself beyond the deepest level. */
  below(parent: Place, name: string): Place {
    if (parent.depth >= DEEPEST) return parent;
    const known = parent.byName?.get(name);
    if (known) return known;
    if (this.places.length >= MOST_NODES)
      throw new NotDrawn('This profile has too many calls to draw here. Download it instead.');
    const place = placeFor(shownName(name), parent);
    parent.byName ??= new Map();
    parent.byName.set(name, place);
    parent.node.children.push(place.node);
    this.places.push(place);
    return place;
  }

  add({ node }: Place, weight: number): void {
    if (finite(weight) < 0) throw new NotDrawn('This profile contains negative times. Download it instead.');
    node.total += weight;
  }

  summed(): ProfileNode {
    for (const { node, parent } of this.places.reverse()) if (parent) parent.node.total += node.total;
    if (!Number.isFinite(this.root.node.total))
      throw new NotDrawn("This profile's times are too large to add up. Download it instead.");
    return this.root.node;
  }
}

function finite(time: unknown): number {
  if (typeof time !== 'number' || !Number.isFinite(time))
    throw new NotDrawn("This profile contains times that aren't numbers. Download it instead.");
  return time;
}

/** The part to show of a name, which may be anything. */
const shownName = (name: unknown): string => (typeof name === 'string' ? name.slice(0, LONGEST_NAME) : '?');
