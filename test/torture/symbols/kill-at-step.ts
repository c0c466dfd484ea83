/**
 * Loaded into a server's process with `--import`: records what the process does for a symbol upload, and kills it with
 * SIGKILL at a named step of the n-th upload. The product is unaware of this: the functions it calls are wrapped from
 * outside.
 */
import { appendFileSync } from 'node:fs';
import promises, { type FileHandle } from 'node:fs/promises';
import { type IncomingMessage, Server, ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import type { S3Client } from '@aws-sdk/client-s3';
import pg from 'pg';
import { PART_BEGUN, STEP_SETTINGS } from './upload-steps.js';

const killStep = process.env[STEP_SETTINGS.step];
const killUpload = Number(process.env[STEP_SETTINGS.upload] ?? 1);
const log = process.env[STEP_SETTINGS.log];
let uploads = 0;

/** Does not return if this is the step to die at. */
function reach(step: string): void {
  if (step === killStep && uploads === killUpload) process.kill(process.pid, 'SIGKILL');
}

function note(done: string): void {
  if (log && uploads > 0) appendFileSync(log, `${uploads} ${done}\n`);
}

/** Whether the request belongs to a file that is uploaded in parts. */
function isPart(request: IncomingMessage): boolean {
  return request.method === 'PUT' && /\/symbols\/uploads\/[^/]+\/parts\//.test(request.url ?? '');
}

function isUpload(request: IncomingMessage): boolean {
  return request.method === 'POST' && request.url === '/api/v1/catch/symbols';
}

function watchFile(handle: FileHandle): void {
  const { writev, sync } = handle;
  handle.writev = async function (this: FileHandle, ...args: Parameters<typeof writev>) {
    const written = await writev.apply(this, args);
    note('write');
    reach('a part of the file written');
    return written;
  } as typeof writev;
  handle.sync = async function (this: FileHandle) {
    reach('file written, before its fsync');
    await sync.call(this);
    note('fsync file');
  };
}

function watchFolder(handle: FileHandle): void {
  const { sync } = handle;
  handle.sync = async function (this: FileHandle) {
    await sync.call(this);
    note('fsync directory');
  };
}

const { open, rename } = promises;
promises.open = async (path, flags, mode) => {
  const handle = await open(path, flags, mode);
  if (String(path).includes('/.uploads/')) watchFile(handle);
  else if (String(path).includes('/objects/symbols') && flags === 'r') watchFolder(handle);
  return handle;
};
promises.rename = async (from, to) => {
  const isDraft = String(from).includes('/.uploads/');
  if (isDraft) reach('file synced, before the rename');
  await rename(from, to);
  if (!isDraft) return;
  note('rename');
  reach('renamed, before the fsync of the directory');
};
syncBuiltinESMExports();

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
const client = pg.Client.prototype as { query: Query };
const { query } = client;
const inserting = new WeakSet<pg.Client>();
client.query = function (...args) {
  const [given] = args;
  const text = typeof given === 'string' ? given : String((given as { text?: unknown })?.text ?? '');
  if (/^insert into "symbol_artifact"/.test(text)) inserting.add(this);
  if (!inserting.has(this) || !/^commit\b/i.test(text)) return query.apply(this, args);
  inserting.delete(this);
  reach('directory synced, before COMMIT');
  reach('upload completed, before COMMIT');
  return (query.apply(this, args) as Promise<unknown>).then((result) => {
    note('COMMIT');
    return result;
  });
};

type Send = (this: S3Client, command: { constructor: { name: string } }, ...rest: unknown[]) => Promise<unknown>;
if (process.env.S3_BUCKET) {
  const { S3Client } = await import('@aws-sdk/client-s3');
  const bucket = S3Client.prototype as unknown as { send: Send };
  const { send } = bucket;
  bucket.send = async function (command, ...rest) {
    const { name } = command.constructor;
    if (name === 'CompleteMultipartUploadCommand') reach('all parts sent, before the upload is completed');
    const answer = await send.call(this, command, ...rest);
    if (name === 'UploadPartCommand') reach('a part sent');
    return answer;
  };
}

type Emit = (this: Server, event: string, ...args: unknown[]) => boolean;
const server = Server.prototype as { emit: Emit };
const { emit } = server;
server.emit = function (event, ...args) {
  if (event === 'request' && isUpload(args[0] as IncomingMessage)) uploads += 1;
  if (event === 'request' && killStep === PART_BEGUN && isPart(args[0] as IncomingMessage)) {
    uploads += 1;
    reach(PART_BEGUN);
  }
  return emit.call(this, event, ...args);
};

type End = (this: ServerResponse, ...args: unknown[]) => ServerResponse;
const response = ServerResponse.prototype as { end: End };
const { end } = response;
response.end = function (...args) {
  if (isUpload(this.req) && this.statusCode === 201) {
    reach('COMMIT done, before the 201');
    note('201');
  }
  return end.apply(this, args);
};
