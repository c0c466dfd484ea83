/** Whether any of several tests holds; a single test is returned unchanged. */
export function anyOf<Seen>(tests: readonly ((seen: Seen) => boolean)[]): (seen: Seen) => boolean {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (seen) => {
    for (const test of tests) if (test(seen)) return true;
    return false;
  };
}
