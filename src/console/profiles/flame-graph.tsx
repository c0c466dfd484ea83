import './profiles.css';
import { Button, Group, Text } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import { Muted } from '../parts/text.js';
import type { ProfileNode } from './profile-tree.js';

/** Bars narrower than this share of the view are left out. */
const NARROWEST = 0.002;
const DEEPEST = 60;
/** The most bars that render and respond without delay. */
const MOST_BARS = 5_000;

/** Shows which function called which; width is time. Clicking a function zooms in on it and its callees. */
export function FlameGraph({ root }: { root: ProfileNode }) {
  const [path, setPath] = useState<readonly ProfileNode[]>([root]);
  const shown = path.at(-1) ?? root;
  const { bars, isCut } = barsOf(shown);
  const depth = (bars.at(-1)?.depth ?? 0) + 1;
  const open = ({ node, above }: Bar) => setPath([...path, ...above, node]);
  return (
    <>
      <Group gap="xs" mb="xs">
        <Text size="sm">
          <strong className="mono">{shown.name}</strong> {share(shown.total, root.total)} of total
        </Text>
        {path.length > 1 && (
          <Button variant="subtle" size="compact-xs" onClick={() => setPath([root])}>
            Show all
          </Button>
        )}
        {isCut && <Muted>Shows only the {MOST_BARS.toLocaleString('en')} nearest calls.</Muted>}
        {shown.total === 0 && <Muted>No time was recorded here.</Muted>}
      </Group>
      <div className="flame" style={{ '--depth': depth } as CSSProperties}>
        {bars.map((bar, at) => (
          <button
            type="button"
            // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity other than their position
            key={at}
            className="flame-bar"
            style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%`, '--at': bar.depth } as CSSProperties}
            title={`${bar.node.name}: ${share(bar.node.total, root.total)}`}
            onClick={() => open(bar)}
          >
            {bar.node.name}
          </button>
        ))}
      </div>
    </>
  );
}

interface Bar {
  node: ProfileNode;
  /** The functions between the zoomed one and this one. */
  above: readonly ProfileNode[];
  depth: number;
  left: number;
  width: number;
}

/** The visible bars, level by level, up to the maximum. */
function barsOf(shown: ProfileNode): { bars: readonly Bar[]; isCut: boolean } {
  if (shown.total === 0) return { bars: [], isCut: false };
  const bars: Bar[] = [{ node: shown, above: [], depth: 0, left: 0, width: 1 }];
  for (const { node, above, depth, left } of bars) {
    if (depth === DEEPEST) break;
    let from = left;
    for (const child of node.children) {
      const width = child.total / shown.total;
      if (width >= NARROWEST) {
        if (bars.length === MOST_BARS) return { bars, isCut: true };
        bars.push({ node: child, above: depth === 0 ? [] : [...above, node], depth: depth + 1, left: from, width });
      }
      from += width;
    }
  }
  return { bars, isCut: false };
}

const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10}%`;
