import './surveys.css';
import { Group, Progress, Text } from '@mantine/core';
import type { QuestionKind } from '#documents';
import { counted } from '../parts/short-numbers.js';
import { Muted } from '../parts/text.js';
import { YES_OR_NO } from './yes-or-no.js';

interface Share {
  value: string;
  count: number;
  share: number;
}

const SCALES: ReadonlySet<QuestionKind> = new Set(['nps', 'csat', 'rating', 'likert']);

/** The maximum number of options per question; dates have no limit. */
const MOST_SHARES = 200;

/** The shares to draw; if there are too many, the most frequent, in their original order. */
function drawnOf(shares: readonly Share[]): readonly Share[] {
  const most = new Set(shares.toSorted((one, other) => other.count - one.count).slice(0, MOST_SHARES));
  return shares.filter((share) => most.has(share));
}

/** The NPS group of an answer. */
const groupOf = (score: number): 'bad' | 'plain' | 'good' => (score <= 6 ? 'bad' : score <= 8 ? 'plain' : 'good');

/** How often each answer was given: columns for a scale, bars for choices. */
export function DistributionChart({ kind, shares }: { kind: QuestionKind; shares: readonly Share[] }) {
  const nameOf = (value: string) => (kind === 'boolean' ? YES_OR_NO[value] : value);
  if (!SCALES.has(kind))
    return (
      <>
        {drawnOf(shares).map(({ value, count, share }) => (
          <div key={value}>
            <Group justify="space-between">
              <Text size="sm">{nameOf(value)}</Text>
              <Muted size="xs">
                {count.toLocaleString('en')} · {(share * 100).toFixed(0)}%
              </Muted>
            </Group>
            <Progress value={share * 100} size="sm" aria-label={`${nameOf(value)}: ${count}`} />
          </div>
        ))}
        {shares.length > MOST_SHARES && (
          <Muted size="xs">
            The {MOST_SHARES} most frequent of {counted(shares.length, 'different answer')}.
          </Muted>
        )}
      </>
    );
  const most = Math.max(...shares.map(({ share }) => share), 0.01);
  return (
    <ul className="columns" aria-label="Answers by score">
      {shares.map(({ value, count, share }) => (
        <li key={value} aria-label={`${value}: ${counted(count, 'answer')}`}>
          <span className="columns-count">{count === 0 ? '' : count.toLocaleString('en')}</span>
          <span
            className={`columns-bar ${kind === 'nps' ? `columns-${groupOf(Number(value))}` : ''}`}
            style={{ height: `${Math.max(1, (share / most) * 100)}px` }}
          />
          <span className="columns-name">{value}</span>
        </li>
      ))}
    </ul>
  );
}

/** The three NPS groups and the score they make up. */
export function NpsBar({
  nps,
}: {
  nps: { score: number | null; promoters: number; passives: number; detractors: number };
}) {
  const total = nps.promoters + nps.passives + nps.detractors;
  if (total === 0) return null;
  const groups = [
    { name: 'Detractors, 0 to 6', count: nps.detractors, look: 'bad' },
    { name: 'Passives, 7 and 8', count: nps.passives, look: 'plain' },
    { name: 'Promoters, 9 and 10', count: nps.promoters, look: 'good' },
  ];
  return (
    <div>
      <div className="nps" role="img" aria-label={groups.map(({ name, count }) => `${name}: ${count}`).join('; ')}>
        {groups.map(({ look, count }) => (
          <span key={look} className={`columns-${look}`} style={{ flexGrow: count }} />
        ))}
      </div>
      <Group gap="md" mt={6}>
        {groups.map(({ name, count, look }) => (
          <Text size="xs" key={look} className="nps-name">
            <span className={`dot columns-${look}`} /> {name}: {count.toLocaleString('en')} (
            {((100 * count) / total).toFixed(0)}%)
          </Text>
        ))}
      </Group>
    </div>
  );
}
