import type { TObject, TSchema } from 'typebox';
import type { ErrorRow } from '../face/error-table.js';

/** The groups of operations, in the order of the document. */
export const TAGS = {
  Config: 'Version history and rollback of remote configuration.',
  Flags: 'The kill switch of feature flags.',
  Decisions: 'What flags, configuration and the other modules decide for a client.',
  Streams: 'Notices of changes as server-sent events.',
  OpenFeature: 'OpenFeature Remote Evaluation Protocol (OFREP).',
  Ingestion: 'Events, profiles of people and aliases.',
  Surveys: 'Published surveys, responses and partial saves.',
  Crashes: 'Symbol files, crash events and profiles.',
  Server: 'The server itself: health, metrics and this document.',
  Aliases: 'Further paths of operations above.',
} as const;

export type Tag = keyof typeof TAGS;

/** A failure that an operation answers; with details when it answers only one of the texts that its row has. */
export type DescribedFailure<Code extends string> = Code | readonly [Code, Readonly<Record<string, unknown>>];

/** What openapi.json says about a route beyond what its row says itself. */
export interface Description<Code extends string = string> {
  /** `operationId`: unique, what the operation does. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly details?: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  /** By status. */
  readonly answers: Readonly<Record<number, DescribedAnswer>>;
  /** Beyond those of the caller's gate and those that every route has. */
  readonly failures?: readonly DescribedFailure<Code>[];
  /** What the verb refuses without a failure, by name. */
  readonly refusals?: Readonly<Record<string, ErrorRow>>;
}

export interface DescribedAnswer {
  readonly description: string;
  /** Nothing for an empty body. */
  readonly schema?: TSchema;
  /** `application/json` unless it says otherwise. */
  readonly mediaType?: string;
  /** The values that `Cache-Control` can have; `no-store` unless it says otherwise. */
  readonly cacheControl?: readonly string[];
  /** Whether it carries an `ETag`. */
  readonly tagged?: boolean;
  /** Further headers: name → what it says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Those that only some answers carry. */
  readonly optionalHeaders?: Readonly<Record<string, string>>;
}

/** Declares a description; it keeps the codes of its failures, which must be rows of the route's error table. */
export const describe = <const Code extends string = never>(description: Description<Code>): Description<Code> =>
  description;
