/** A part of a Swift name, on the stack until what holds it is read. */
export interface SwiftNode {
  readonly kind: 'identifier' | 'name' | 'module' | 'type' | 'entity' | 'signature' | 'requirement' | 'mark';
  /** As it is written; of a mark its letter. */
  readonly text: string;
  /** Of a type: what it is where that matters. */
  readonly shape?: 'function' | 'class' | 'protocol' | 'existential' | 'tuple';
  /** Of a function type. */
  readonly parameters?: readonly string[];
  /** Of a nominal type: what it lies in, and its own name. */
  readonly context?: SwiftNode;
  readonly name?: string;
  /** Of a type within an extension: what stands before it. */
  readonly prefix?: string;
}

export const mark = (text: string): SwiftNode => ({ kind: 'mark', text });

export const type = (text: string, shape?: SwiftNode['shape']): SwiftNode =>
  shape === undefined ? { kind: 'type', text } : { kind: 'type', text, shape };
