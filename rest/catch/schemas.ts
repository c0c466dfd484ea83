import { Type } from 'typebox';
import type { RejectReason } from '../../src/modules/catch/crashes/reading/crash-report.js';
import { CRASH_LEVELS } from '../../src/modules/catch/issues/crash-levels.js';
import { STATUSES } from '../../src/modules/catch/symbols/symbol-artifact.entity.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../src/symbols/symbol-kinds.js';
import { count, environment, flag, instant, json, mapOf, nullable, oneOf, text, uuid } from '../field-schemas.js';

export const symbolKind = oneOf(Object.keys(SYMBOL_KINDS) as SymbolKind[]);

export const sha256 = (description?: string) =>
  Type.String({
    pattern: '^[0-9a-f]{64}$',
    ...(description && { description }),
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  });

const listed = {
  id: text('sym_4Rt5Yu6Io7'),
  kind: symbolKind,
  release: text('4.2.1', 'Empty if the upload did not name one.'),
  match_key: text('app.js', 'File name, debug id or build id used to match frames.'),
  size_bytes: count(48_213),
  status: oneOf(STATUSES),
  uploaded_at: instant(),
};

const SymbolArtifactSchema = Type.Object(
  {
    ...listed,
    project_id: uuid(),
    environment: environment(),
    sha256: sha256(),
    storage_path: text('symbols/sym_4Rt5Yu6Io7/file'),
    original_name: text('app.js.map'),
  },
  { $id: 'SymbolArtifact' },
);

export const ArtifactAnswer = Type.Object({ artifact: SymbolArtifactSchema });

export const ArtifactsAnswer = Type.Object({
  artifacts: Type.Array(Type.Object(listed, { $id: 'SymbolArtifactSummary' }), { description: 'Newest first.' }),
});

/** What an upload says about its file besides the kind. */
export const uploadNames = {
  environment: Type.Optional(environment('Defaults to `live`.')),
  release: Type.Optional(text('4.2.1')),
  match_key: Type.Optional(
    text(
      'app.js',
      'Derived from the file if left out: ids that it contains, its name without `.map`, or for a mapping without an id the release.',
    ),
  ),
  commit_sha: Type.Optional(text('1f86f51')),
  project_id: Type.Optional(uuid('Required if neither the token nor `x-project-id` determines the project.')),
};

export const UploadForm = Type.Object({
  file: Type.String({ format: 'binary', contentMediaType: 'application/octet-stream', description: 'Up to 512 MB.' }),
  kind: symbolKind,
  ...uploadNames,
});

export const DeletedArtifact = Type.Object({ deleted: flag(true) });
export const ArtifactParams = Type.Object({ id: text('sym_4Rt5Yu6Io7', 'The artifact.') });

const projectId = Type.Optional(uuid('The project, if the organization has several and the token covers all of them.'));

export const ProjectHeader = Type.Object({ 'x-project-id': projectId });
export const ProjectQuery = Type.Object({ project_id: projectId });

export const ArtifactsQuery = Type.Object({
  project_id: projectId,
  environment: Type.Optional(environment('Defaults to all.')),
  kind: Type.Optional(symbolKind),
  release: Type.Optional(text('4.2.1')),
  limit: Type.Optional(Type.Integer({ description: 'Defaults to 50; clamped to 1–200.', examples: [50] })),
});

const Frame = Type.Object(
  {
    function: Type.Optional(text('checkout')),
    file: Type.Optional(text('app.js')),
    line: Type.Optional(Type.Integer({ examples: [1] })),
    column: Type.Optional(Type.Integer({ examples: [4711] })),
    address: Type.Optional(text('0x1049f2c40', 'Hexadecimal; a number is accepted too.')),
    module: Type.Optional(text('app')),
    in_app: Type.Optional(flag(true)),
  },
  { $id: 'StackFrame' },
);

const DebugImage = Type.Object(
  {
    type: Type.Optional(text('macho')),
    debug_id: Type.Optional(text('5c3f1b1e-7d55-3c39-9a41-6d2bb2a5e9a1')),
    code_file: Type.Optional(text('/var/containers/App')),
    image_addr: Type.Optional(text('0x1049e8000')),
    image_size: Type.Optional(count(98_304)),
    arch: Type.Optional(text('arm64')),
  },
  { $id: 'DebugImage' },
);

const CrashEvent = Type.Object(
  {
    event_id: uuid('Events with an id that was already received are not stored again.'),
    timestamp: Type.Optional(instant('Defaults to the time of receipt.')),
    level: Type.Optional(oneOf(CRASH_LEVELS)),
    platform: Type.Optional(text('javascript')),
    release: Type.Optional(text('4.2.1')),
    environment: Type.Optional(environment("Defaults to the key's environment.")),
    exception: Type.Optional(
      Type.Object({
        type: Type.Optional(text('TypeError')),
        value: Type.Optional(text('x is undefined')),
        frames: Type.Optional(Type.Array(Frame)),
      }),
    ),
    message: Type.Optional(text('The cart is empty', 'Used if there is no exception.')),
    distinct_id: Type.Optional(text('user-1')),
    session: Type.Optional(
      Type.Object({
        session_id: text('0192f0c4-5a1b-7c3d-8e2f-0a1b2c3d4e5f', 'The session id of its session_start event.'),
        started_at: instant('The start time of that event.'),
        release: Type.Optional(nullable(text('4.2.1'))),
      }),
    ),
    tags: Type.Optional(mapOf(json('any'), { region: 'eu' })),
    extra: Type.Optional(mapOf(json('any'), { cart: 3 })),
    breadcrumbs: Type.Optional(Type.Array(Type.Unknown({ examples: [{ message: 'Tapped Pay' }] }))),
    debug_images: Type.Optional(Type.Array(DebugImage)),
    raw_stacktrace: Type.Optional(text('#00 abs 0000007a', "A stack trace in the platform's own format.")),
  },
  { $id: 'CrashEvent' },
);

export const CrashBody = Type.Union([
  Type.Object({ events: Type.Array(CrashEvent, { minItems: 1, maxItems: 1000 }) }, { $id: 'CrashEvents' }),
  CrashEvent,
]);

const REASONS: readonly RejectReason[] = [
  'not_an_object',
  'invalid_event_id',
  'invalid_timestamp',
  'invalid_exception',
  'nothing_reported',
];

export const CrashesAnswer = Type.Object(
  {
    accepted: count(1),
    rejected: count(1),
    reject_reasons: Type.Array(
      Type.Object({ event_id: nullable(text('not-a-uuid')), reason: oneOf(REASONS) }, { $id: 'RejectedCrashEvent' }),
    ),
  },
  { $id: 'CrashEventsAccepted' },
);

export const ProfileBody = json({ samples: [] }, 'Any JSON value up to 20 MiB.');
export const ProfileAnswer = Type.Object({ accepted: Type.Literal(1), profile_id: uuid() });

export const LinkParams = Type.Object({ object: text('c3ltYm9scy9zeW1fMS9maWxl') });
