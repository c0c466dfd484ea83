import './profiles.css';
import { Button, Group, Text } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { ProfileNode } from './profile-tree.js';

/** What is narrower than this share of what is shown is left out. */
const NARROWEST = 0.002;
const DEEPEST = 60;

/** Who called whom, as wide as the time it took; a press on a function shows it and what it called alone. */
export function FlameGraph({ root }: { root: ProfileNode }) {
  const [path, setPath] = useState<readonly ProfileNode[]>([root]);
  const shown = path.at(-1) ?? root;
  const bars = barsOf(shown);
  const depth = Math.max(...bars.map((bar) => bar.depth)) + 1;
  const open = ({ node, above }: Bar) => setPath([...path, ...above, node]);
  return (
    <>
      <Group gap="xs" mb="xs">
        <Text size="sm">
          <strong className="mono">{shown.name}</strong> {share(shown.total, root.total)} of all
        </Text>
        {path.length > 1 && (
          <Button variant="subtle" size="compact-xs" onClick={() => setPath([root])}>
            Show all
          </Button>
        )}
      </Group>
      <div className="flame" style={{ '--depth': depth } as CSSProperties}>
        {bars.map((bar, at) => (
          <button
            type="button"
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are told apart by their place alone
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
  /** The functions between what is shown and this one. */
  above: readonly ProfileNode[];
  depth: number;
  left: number;
  width: number;
}

function barsOf(shown: ProfileNode): Bar[] {
  const bars: Bar[] = [];
  const add = (node: ProfileNode, above: readonly ProfileNode[], depth: number, left: number): void => {
    const width = shown.total === 0 ? 1 : node.total / shown.total;
    if (width < NARROWEST || depth > DEEPEST) return;
    bars.push({ node, above, depth, left, width });
    let from = left;
    for (const child of node.children) {
      add(child, depth === 0 ? [] : [...above, node], depth + 1, from);
      from += shown.total === 0 ? 0 : child.total / shown.total;
    }
  };
  add(shown, [], 0, 0);
  return bars;
}

const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10} %`;
