type Numbers =
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** Copies `source` to the start of `target`, its larger replacement. */
export function copyInto<T extends Numbers>(target: T, source: T): T {
  target.set(source);
  return target;
}
