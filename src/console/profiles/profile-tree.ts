/** A function in the calls that led to it, with the share of the time that was spent in it and below it. */
export interface ProfileNode {
  name: string;
  /** Time or samples, of itself and of all that it called. */
  total: number;
  children: ProfileNode[];
}

interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url?: string; lineNumber?: number }; children?: number[] }[];
  samples: number[];
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

/** The tree of calls of a profile of V8 (`.cpuprofile`) or of speedscope (sampled), null for what is neither. */
export function treeOf(profile: unknown): ProfileNode | null {
  if (isCpuProfile(profile)) return ofCpuProfile(profile);
  if (isSpeedscope(profile)) return ofSpeedscope(profile);
  return null;
}

const isCpuProfile = (value: unknown): value is CpuProfile => {
  const { nodes, samples } = (value ?? {}) as Partial<CpuProfile>;
  return Array.isArray(nodes) && Array.isArray(samples);
};

const isSpeedscope = (value: unknown): value is Speedscope => {
  const { shared, profiles } = (value ?? {}) as Partial<Speedscope>;
  return Array.isArray(shared?.frames) && Array.isArray(profiles) && profiles.some(({ type }) => type === 'sampled');
};

function ofCpuProfile({ nodes, samples, timeDeltas }: CpuProfile): ProfileNode {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const stacks = new Map<number, string[]>();
  const stackOf = (id: number): string[] => {
    const names: string[] = [];
    for (let at: number | undefined = id; at !== undefined && names.length < DEEPEST; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame && frame.functionName !== '(root)') names.unshift(frame.functionName || '(anonymous)');
    }
    return names;
  };
  const root: ProfileNode = { name: 'all', total: 0, children: [] };
  for (const [at, id] of samples.entries()) {
    const stack = stacks.get(id) ?? stackOf(id);
    stacks.set(id, stack);
    addStack(root, stack, timeDeltas?.[at] ?? 1);
  }
  return root;
}

function ofSpeedscope({ shared, profiles }: Speedscope): ProfileNode {
  const root: ProfileNode = { name: 'all', total: 0, children: [] };
  for (const { type, samples, weights } of profiles) {
    if (type !== 'sampled') continue;
    for (const [at, stack] of samples.entries()) {
      const names = stack.slice(0, DEEPEST).map((frame) => shared.frames[frame]?.name ?? '?');
      addStack(root, names, weights?.[at] ?? 1);
    }
  }
  return root;
}

const DEEPEST = 200;

function addStack(root: ProfileNode, names: readonly string[], weight: number): void {
  root.total += weight;
  let parent = root;
  for (const name of names) {
    let node = parent.children.find((child) => child.name === name);
    if (!node) {
      node = { name, total: 0, children: [] };
      parent.children.push(node);
    }
    node.total += weight;
    parent = node;
  }
}
