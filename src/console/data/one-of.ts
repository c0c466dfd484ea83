/** The value if it is one of these, else the first: an address may say anything. */
export const oneOf = <T extends string>(value: string | null | undefined, values: readonly [T, ...T[]]): T =>
  values.find((one) => one === value) ?? values[0];
