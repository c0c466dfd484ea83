/** Suffixes that compilers append to clones, such as `.cold`; with any other suffix the name is not a Rust name. */
export function withSuffix(plain: string, suffix: string): string | null {
  return suffix === '' || /^\.[\x21-\x7e]*$/.test(suffix) ? plain + suffix : null;
}
