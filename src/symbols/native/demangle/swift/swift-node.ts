/** A part of a Swift name, on the stack until its parent is read. */
export interface SwiftNode {
  readonly kind: 'identifier' | 'name' | 'module' | 'type' | 'entity' | 'signature' | 'requirement' | 'mark';
  /** Its text; for a mark, its letter. */
  readonly text: string;
  /** The kind of a type, where it matters. */
  readonly shape?: 'function' | 'class' | 'protocol' | 'existential' | 'tuple';
  /** Only for function types. */
  readonly parameters?: readonly string[];
  /** For a nominal type: its parent and its own name. */
  readonly context?: SwiftNode;
  readonly name?: string;
  /** For a type in an extension: its prefix. */
  readonly prefix?: string;
}

export const mark = (text: string): SwiftNode => ({ kind: 'mark', text });

export const type = (text: string, shape?: SwiftNode['shape']): SwiftNode =>
  shape === undefined ? { kind: 'type', text } : { kind: 'type', text, shape };
