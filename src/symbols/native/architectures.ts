const FAMILIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(arm64|aarch64)/, 'arm64'],
  [/^(arm|thumb)/, 'arm'],
  [/^(x86_64|x86-64|amd64|x64)/, 'x86_64'],
  [/^(x86|i[3-6]86|ia32)/, 'x86'],
  [/^riscv64/, 'riscv64'],
  [/^mips/, 'mips'],
];

/** The family of a CPU name as written by event reporters, Android ABIs and Apple's tools; empty when unknown. */
export function architectureFamily(arch: string | null): string {
  const name = (arch ?? '').toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? '';
}
