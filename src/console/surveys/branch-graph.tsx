import { isolated } from '../data/notify.js';
import './surveys.css';
import { counted } from '../parts/short-numbers.js';
import type { BranchDraft, QuestionDraft } from './survey-draft.js';

const BOX = { width: 216, height: 34, gap: 40, left: 44 };
const END_WIDTH = 88;
const LONGEST = 30;
const LANE = 20;

const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
const topOf = (place: number): number => 8 + place * (BOX.height + BOX.gap);
const middleOf = (place: number): number => topOf(place) + BOX.height / 2;

/** Which questions can be reached from the first; the index after the last is the end. */
function reachable(next: readonly (readonly number[])[]): ReadonlySet<number> {
  const found = new Set<number>([0]);
  for (const place of found) for (const to of next[place] ?? []) found.add(to);
  return found;
}

/** The flow of questions: the default path straight down, branches at the side, unreachable questions dashed. */
export function BranchGraph({
  questions,
  branches,
}: {
  questions: readonly QuestionDraft[];
  branches: readonly BranchDraft[];
}) {
  const end = questions.length;
  const placeOf = (id: string | null): number => (id === null ? end : questions.findIndex((one) => one.id === id));
  const edges = branches
    .map(({ fromQuestionId, toQuestionId, predicate }) => ({
      from: placeOf(fromQuestionId),
      to: placeOf(toQuestionId),
      predicate,
    }))
    .filter(({ from, to }) => from >= 0 && to >= 0);
  const always = new Set(edges.filter(({ predicate }) => predicate.trim() === 'always').map(({ from }) => from));
  const next = questions.map((_, place) => [
    ...(always.has(place) ? [] : [place + 1]),
    ...edges.filter(({ from }) => from === place).map(({ to }) => to),
  ]);
  const reached = reachable(next);
  const height = topOf(end) + BOX.height + 8;
  const width = BOX.left + BOX.width + 40 + edges.length * LANE;
  const words = edges.map(
    ({ from, to, predicate }) => `${from + 1} to ${to === end ? 'the end' : to + 1} if ${predicate}`,
  );
  return (
    <svg
      className="graph"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Flow of ${counted(questions.length, 'question')}${words.length > 0 ? `: ${words.join('; ')}` : ''}`}
    >
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0 L8 4 L0 8 z" className="graph-head" />
        </marker>
      </defs>
      {questions.map(({ id }, place) =>
        always.has(place) ? null : (
          <line
            key={id}
            x1={BOX.left + BOX.width / 2}
            x2={BOX.left + BOX.width / 2}
            y1={topOf(place) + BOX.height}
            y2={topOf(place + 1) - 2}
            className="graph-line"
            markerEnd="url(#arrow)"
          />
        ),
      )}
      {edges.map(({ from, to, predicate }, at) => {
        const isBack = to <= from;
        const x = isBack ? BOX.left : BOX.left + BOX.width;
        const bend = isBack ? x - 36 : x + 26 + at * LANE;
        const tip = to === end ? BOX.left + (BOX.width + END_WIDTH) / 2 : x;
        const row = edges.slice(0, at).filter((edge) => edge.from === from).length;
        const [y1, y2] = [middleOf(from) + (isBack ? -6 : 6), middleOf(to) + (isBack ? 6 : -6)];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: branches have no identity other than their position
          <g key={at}>
            <path
              d={`M${x} ${y1} C${bend} ${y1}, ${bend} ${y1}, ${bend} ${(y1 + y2) / 2} S${bend} ${y2}, ${tip + (isBack ? -2 : 2)} ${y2}`}
              className="graph-line graph-branch"
              markerEnd="url(#arrow)"
            />
            <text x={BOX.left + BOX.width / 2 + 8} y={topOf(from) + BOX.height + 13 + row * 12} className="graph-text">
              {cut(predicate, LONGEST)}
            </text>
          </g>
        );
      })}
      {questions.map(({ id, prompt }, place) => (
        <g key={id} className={reached.has(place) ? undefined : 'graph-unreached'}>
          <rect x={BOX.left} y={topOf(place)} width={BOX.width} height={BOX.height} rx="6" className="graph-box" />
          <text x={BOX.left + 10} y={middleOf(place) + 4} className="graph-name">
            {place + 1}. {isolated(cut(prompt || 'untitled', LONGEST - 4))}
          </text>
        </g>
      ))}
      <g>
        <rect
          x={BOX.left + (BOX.width - END_WIDTH) / 2}
          y={topOf(end)}
          width={END_WIDTH}
          height={BOX.height}
          rx={BOX.height / 2}
          className="graph-box"
        />
        <text x={BOX.left + BOX.width / 2} y={middleOf(end) + 4} textAnchor="middle" className="graph-name">
          End
        </text>
      </g>
    </svg>
  );
}
