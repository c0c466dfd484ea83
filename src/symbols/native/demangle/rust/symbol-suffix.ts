/** What compilers append to names of clones, `.cold` for one; anything else means that the name was not one of Rust's. */
export function withSuffix(plain: string, suffix: string): string | null {
  return suffix === '' || /^\.[\x21-\x7e]*$/.test(suffix) ? plain + suffix : null;
}
