/** Whether one of several tests holds; what is tested alone costs no more than the test. */
export function anyOf<Seen>(tests: readonly ((seen: Seen) => boolean)[]): (seen: Seen) => boolean {
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (seen) => {
    for (const test of tests) if (test(seen)) return true;
    return false;
  };
}
