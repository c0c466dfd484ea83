export interface NamedDartFrame {
  function: string;
  file: string;
  line: number | null;
  column: number | null;
}

/** `#0      Cart.add (package:shop/cart.dart:12:7)`; builds without debug information print no line or column. */
const FRAME =
  /^.{0,200}?#\d{1,4} {1,8}(\S.*?) \(((?:package|dart|file|org-dartlang-[a-z-]{1,20}):[^()]+?)(?::(\d{1,9}))?(?::(\d{1,9}))?\)$/;
const MAX_LINE_LENGTH = 4_096;

/** Reads a frame that already has names; null for any other line. */
export function namedDartFrame(text: string): NamedDartFrame | null {
  const [, name, file, line, column] = (text.length <= MAX_LINE_LENGTH && FRAME.exec(text.trimEnd())) || [];
  if (name === undefined || file === undefined) return null;
  return { function: name, file, line: numberOf(line), column: numberOf(column) };
}

const numberOf = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));
