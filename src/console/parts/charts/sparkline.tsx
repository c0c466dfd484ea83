const WIDTH = 96;
const HEIGHT = 22;

/** Counts over time as a line without axes, for a table row; `label` says what they count. */
export function Sparkline({ counts, label }: { counts: readonly number[]; label: string }) {
  const most = Math.max(...counts, 0);
  const step = WIDTH / Math.max(1, counts.length - 1);
  const points = counts.map((count, at) => {
    const y = most === 0 ? HEIGHT - 1 : HEIGHT - 1 - (count / most) * (HEIGHT - 3);
    return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <svg
      className={most === 0 ? 'spark spark-flat' : 'spark'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${label}: ${most === 0 ? 'none' : counts.join(', ')}`}
    >
      {most > 0 && <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />}
      <polyline points={points.join(' ')} />
    </svg>
  );
}
