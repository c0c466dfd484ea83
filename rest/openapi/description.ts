import type { TObject, TSchema } from 'typebox';
import type { ErrorRow } from '../face/error-table.js';

/** The groups of operations, in document order. */
export const TAGS = {
  Config: 'Version history and rollback of remote configuration.',
  Flags: 'The kill switch for feature flags.',
  Decisions: 'Decisions of flags, configuration and the other modules for a client.',
  Streams: 'Change notices as server-sent events.',
  OpenFeature: 'OpenFeature Remote Evaluation Protocol (OFREP).',
  Ingestion: 'Events, person profiles and aliases.',
  Surveys: 'Published surveys, responses and partial saves.',
  Crashes: 'Symbol files, crash events and profiles.',
  Server: 'The server itself: health, metrics and this document.',
  Aliases: 'Alternative paths for the operations above.',
} as const;

export type Tag = keyof typeof TAGS;

/** A failure of an operation; with details if it uses only one of the texts in its row. */
export type DescribedFailure<Code extends string> = Code | readonly [Code, Readonly<Record<string, unknown>>];

/** What openapi.json says about a route beyond its row. */
export interface Description<Code extends string = string> {
  /** `operationId`: unique, named for what the operation does. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly details?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** In addition to those of the caller's gate and of every route. */
  readonly failures?: readonly DescribedFailure<Code>[];
  /** Rejections by the verb that aren't failures, by name. */
  readonly refusals?: Readonly<Record<string, ErrorRow>>;
}

export interface DescribedAnswer {
  readonly description: string;
  /** Undefined for an empty body. */
  readonly schema?: TSchema;
  /** Defaults to `application/json`. */
  readonly mediaType?: string;
  /** The possible values of `Cache-Control`; defaults to `no-store`. */
  readonly cacheControl?: readonly string[];
  /** Whether it has an `ETag`. */
  readonly tagged?: boolean;
  /** Additional headers: name → description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers of only some responses. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
}

/** The answer to a client that has the current state, by its ETag. */
export const notModified = (answer: Omit<DescribedAnswer, 'description'>): DescribedAnswer => ({
  description: 'Nothing has changed since the given ETag.',
  tagged: true,
  ...answer,
});

/** Declares a description; it keeps its failure codes, which must be rows of the route's error table. */
export const describe = <const Code extends string = never>(description: Description<Code>): Description<Code> =>
  description;
