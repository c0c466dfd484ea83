const section = /## Architecture\n\n```\n([\s\S]*?)```/;

/**
 * Where the drawing in docs/CONTRIBUTING.md differs from the code: floors that are missing or in a different order than
 * in the import rules, and folders that it does not name.
 *
 * @param floors names from the top down; `server, worker` are side by side
 * @param rooms folders that the drawing names, such as `src/sdk` and `src/modules/plan`
 */
export function drawingFaults(page: string, floors: readonly string[], rooms: readonly string[]): string[] {
  const lines = section.exec(page)?.[1]?.split('\n');
  if (!lines) return ['docs/CONTRIBUTING.md has no drawing under "Architecture"'];
  const lineOf = (name: string): number => lines.findIndex((line) => new RegExp(`\\b${name}\\b`).test(line));
  const faults = [...new Set([...floors.flatMap((floor) => floor.split(', ')), ...rooms.map((room) => lastPart(room))])]
    .filter((name) => lineOf(name) < 0)
    .map((name) => `the drawing in docs/CONTRIBUTING.md lacks ${name}`);
  if (faults.length > 0) return faults;
  for (const [at, floor] of floors.slice(1).entries()) {
    const above = floors[at] as string;
    const [upper, lower] = [above, floor].map((name) => Math.max(...name.split(', ').map(lineOf))) as [number, number];
    if (lower < upper) faults.push(`the drawing in docs/CONTRIBUTING.md has ${floor} above ${above}`);
  }
  return faults;
}

const lastPart = (room: string): string => room.slice(room.lastIndexOf('/') + 1);
