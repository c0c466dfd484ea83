/** Values that take forever to check against their schemas, or schemas that cannot be compiled. */
export const HOSTILE_PAIRS: Readonly<Record<string, { schema: object; value: unknown }>> = {
  'a pattern that backtracks': { schema: { type: 'string', pattern: '^(a+)+$' }, value: `${'a'.repeat(40)}!` },
  'uniqueItems over 8,000 objects': {
    schema: { uniqueItems: true },
    value: Array.from({ length: 8_000 }, (_, n) => ({ n, a: [n] })),
  },
  'anyOf that doubles 24 times': { schema: doubling(24), value: 'x' },
  '$ref in a circle': { schema: { $ref: '#' }, value: 'x' },
  '$dynamicRef in a circle': { schema: { $dynamicRef: '#' }, value: 'x' },
  $async: { schema: { $async: true, type: 'string' }, value: 'x' },
  'a schema of 60,000 characters': {
    schema: { anyOf: Array.from({ length: 1_500 }, (_, n) => ({ required: [`key ${n}`], minProperties: n })) },
    value: {},
  },
};

function doubling(levels: number): object {
  const $defs = Object.fromEntries(
    Array.from({ length: levels }, (_, n) => {
      const next = n + 1 < levels ? { $ref: `#/$defs/d${n + 1}` } : { type: 'number' };
      return [`d${n}`, { anyOf: [next, next] }];
    }),
  );
  return { $ref: '#/$defs/d0', $defs };
}
