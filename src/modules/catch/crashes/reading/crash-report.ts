import { isUuid } from '../../../../kernel/ids.js';
import { firstCharacters, keyText, storableJson, storableText } from '../../../../kernel/text.js';
import { isoTime } from '../../../../kernel/values/iso-time.js';
import type { DebugImage, ReportedFrame } from '../../../../symbols/symbolication/crash-frame.js';
import type { CrashPayload } from '../../../../symbols/symbolication/crash-payload.js';
import { CRASH_LEVELS } from '../../issues/crash-levels.js';

/** A crash event as sent by a client, validated and truncated. */
export interface CrashReport {
  eventId: string;
  /** Null: the time of receipt. */
  occurredAt: Date | null;
  level: string;
  platform: string;
  release: string | null;
  distinctId: string | null;
  session: ReportedSession | null;
  title: string;
  /** Everything that is stored as it came: exception, frames, images, tags, extra, breadcrumbs, trace. */
  payload: StoredPayload;
}

/** The session it happened in, as reported by its `session_start` event. */
export interface ReportedSession {
  id: string;
  startedAt: Date;
  release: string | null;
}

export interface StoredPayload extends CrashPayload {
  tags: unknown;
  extra: unknown;
  breadcrumbs: unknown;
}

export type RejectReason =
  | 'not_an_object'
  | 'invalid_event_id'
  | 'invalid_timestamp'
  | 'invalid_exception'
  | 'nothing_reported';

const LEVELS: ReadonlySet<string> = new Set(CRASH_LEVELS);
const MAX_FRAMES = 1_000;
const MAX_IMAGES = 2_000;
const MAX_BREADCRUMBS = 200;
const MAX_TEXT = 10_000;
const MAX_DISTINCT_ID = 400;
const MAX_TRACE = 1_000_000;
const MAX_TITLE = 500;
/** Maximum characters of text in the frames, and in the images. */
const MAX_PLACES = 1024 * 1024;
/** Maximum characters of JSON in each of tags, extra and breadcrumbs. */
const MAX_DETAIL = 256 * 1024;

/** Opening lines of a Dart VM trace and an Android tombstone; none of them says what happened. */
const TRACE_HEADER =
  /^(?:\*\*\*|Warning: This VM|pid: |os: |build_id: |isolate_|\s*#\d|Build fingerprint:|Revision:|ABI:|Timestamp:|Process uptime:|Cmdline:|uid:|tagged_addr)/;

type Fields = Readonly<Record<string, unknown>>;

/** Parses one event; a string says why it can't be stored. Unknown fields are ignored, lists that are too long are cut. */
export function readCrashReport(value: unknown): CrashReport | RejectReason {
  const fields = objectOrNull(value);
  if (fields === null) return 'not_an_object';
  if (!isUuid(fields.event_id)) return 'invalid_event_id';
  const occurredAt = timeOf(fields.timestamp);
  if (occurredAt === undefined) return 'invalid_timestamp';
  const exception = fields.exception == null ? null : objectOrNull(fields.exception);
  if (fields.exception != null && exception === null) return 'invalid_exception';
  const frames = exception?.frames ?? [];
  if (!Array.isArray(frames)) return 'invalid_exception';
  const payload: StoredPayload = {
    exception: exception && { type: text(exception.type), value: text(exception.value) },
    message: text(fields.message),
    frames: first(frames.slice(0, MAX_FRAMES).map(readFrame)),
    images: first(list(fields.debug_images).slice(0, MAX_IMAGES).map(readImage)),
    rawStacktrace: text(fields.raw_stacktrace, MAX_TRACE),
    programCounter: address(exception?.pc),
    tags: boundedMembers(fields.tags),
    extra: boundedMembers(fields.extra, 'flags'),
    breadcrumbs: newest(fields.breadcrumbs),
  };
  if (payload.exception === null && payload.message === null && payload.rawStacktrace === null)
    return 'nothing_reported';
  const release = text(fields.release);
  const level = text(fields.level)?.toLowerCase() ?? 'error';
  return {
    eventId: fields.event_id.toLowerCase(),
    occurredAt,
    level: LEVELS.has(level) ? level : 'error',
    platform: text(fields.platform, 100)?.toLowerCase() ?? 'other',
    release: release && keyText(release),
    distinctId: distinctId(fields.distinct_id),
    session: readSession(fields.session),
    title: titleOf(payload),
    payload,
  };
}

function titleOf(payload: StoredPayload): string {
  const { exception, message, rawStacktrace } = payload;
  const first =
    reportTitle(rawStacktrace) ??
    rawStacktrace?.split('\n', 20).find((line) => line.trim() !== '' && !TRACE_HEADER.test(line));
  const parts = exception === null ? [message ?? first] : [exception.type, exception.value ?? message];
  return parts.filter(Boolean).join(': ').slice(0, MAX_TITLE).toWellFormed() || 'Crash';
}

/** The cause of the crash in a report from an Apple system, as text (`.crash`) or JSON (`.ips`); null for every other trace. */
function reportTitle(text: string | null): string | null {
  const ofText = /^Exception Type: +(\S.{0,200})$/m.exec(text ?? '')?.[1];
  if (ofText !== undefined || !text?.trimStart().startsWith('{')) return ofText?.trimEnd() ?? null;
  const type = /"type" ?: ?"(EXC_\w{1,40})"/.exec(text)?.[1];
  const signal = /"signal" ?: ?"(SIG\w{1,12})"/.exec(text)?.[1];
  return type && signal ? `${type} (${signal})` : (type ?? signal ?? null);
}

function readFrame(value: unknown): Partial<ReportedFrame> {
  const fields = objectOrNull(value) ?? {};
  const frame = {
    file: text(fields.file, 4_000),
    line: number(fields.line),
    inApp: typeof fields.in_app === 'boolean' ? fields.in_app : null,
    column: number(fields.column),
    module: text(fields.module, 2_000),
    address: address(fields.address),
    function: text(fields.function, 2_000),
  };
  // Most of a native crash would be nulls. Workers of earlier versions mistake a frame without an address for one that has one.
  return frame.address === null
    ? frame
    : (Object.fromEntries(Object.entries(frame).filter(([, member]) => member !== null)) as Partial<ReportedFrame>);
}

function readImage(value: unknown): DebugImage {
  const fields = objectOrNull(value) ?? {};
  return {
    type: text(fields.type, 50)?.toLowerCase() ?? '',
    debugId: text(fields.debug_id, 200),
    codeId: text(fields.code_id, 200),
    codeFile: text(fields.code_file, 4_000),
    imageAddress: address(fields.image_addr),
    imageSize: number(fields.image_size),
    arch: text(fields.arch, 50),
  };
}

/** Null unless it has an id and a start. */
function readSession(value: unknown): ReportedSession | null {
  const fields = objectOrNull(value) ?? {};
  const [id, startedAt] = [text(fields.session_id, 100), timeOf(fields.started_at)];
  return id && startedAt ? { id, startedAt, release: text(fields.release, 2_000) } : null;
}

/** Undefined if it is present but not a time. */
function timeOf(value: unknown): Date | null | undefined {
  if (value === undefined || value === null) return null;
  const time = new Date(typeof value === 'string' ? isoTime(value) : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function address(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return `0x${value.toString(16)}`;
  return text(value, 40);
}

/** As long as in ingestion, so that it finds its person. */
function distinctId(value: unknown): string | null {
  return text(typeof value === 'string' ? firstCharacters(value, MAX_DISTINCT_ID) : null);
}

function number(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : null;
}

function text(value: unknown, most = MAX_TEXT): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return storableText(value.slice(0, most));
}

function first<Entry extends object>(entries: Entry[]): Entry[] {
  let room = MAX_PLACES;
  const tooLate = entries.findIndex((entry) => {
    for (const member of Object.values(entry)) if (typeof member === 'string') room -= member.length;
    return room < 0;
  });
  return tooLate < 0 ? entries : entries.slice(0, tooLate);
}

/** The members of an object, without those that don't fit; `foremost` gets its room before the others. */
function boundedMembers(value: unknown, foremost?: string): unknown {
  let room = MAX_DETAIL;
  const fits = ([key, inner]: [string, unknown]): boolean => {
    const size = key.length + sizeOf(inner);
    if (size > room) return false;
    room -= size;
    return true;
  };
  const entries = Object.entries(objectOrNull(value) ?? {});
  const kept = new Set(entries.filter((entry) => entry[0] === foremost && fits(entry)));
  for (const entry of entries) if (entry[0] !== foremost && fits(entry)) kept.add(entry);
  return storableJson(Object.fromEntries(entries.filter((entry) => kept.has(entry))));
}

function newest(value: unknown): unknown {
  const last = list(value).slice(-MAX_BREADCRUMBS);
  let room = MAX_DETAIL;
  const tooOld = last.findLastIndex((breadcrumb) => {
    room -= sizeOf(breadcrumb);
    return room < 0;
  });
  return storableJson(last.slice(tooOld + 1));
}

const sizeOf = (value: unknown): number => JSON.stringify(value).length;

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function objectOrNull(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}
