import type { Static } from 'typebox';
import { storableText } from '../../src/kernel/text.js';
import type { DecisionCaller } from '../../src/modules/handshake/answer.js';
import { type DecisionModule, installedModules } from '../../src/modules/handshake/decision-modules.js';
import type { HandshakeBody } from './schemas.js';

export function callerOf(query: URLSearchParams): DecisionCaller {
  return {
    distinctId: textOf(query, 'distinct_id'),
    appVersion: textOf(query, 'app_version'),
    platform: textOf(query, 'platform'),
    osVersion: textOf(query, 'os_version'),
    locale: textOf(query, 'locale'),
  };
}

/** The modules requested by `installed` in the query; repeated parameters are combined. */
export function modulesOf(query: URLSearchParams): readonly DecisionModule[] {
  return installedModules(query.getAll('installed').join(','));
}

export function callerOfBody(body: Static<typeof HandshakeBody>): DecisionCaller {
  return {
    distinctId: body.distinct_id ?? null,
    appVersion: body.app_version ?? null,
    platform: body.platform ?? null,
    osVersion: body.os_version ?? null,
    locale: body.locale ?? null,
    context: new Map(Object.entries(body.context ?? {})),
  };
}

export function modulesOfBody({ installed }: Static<typeof HandshakeBody>): readonly DecisionModule[] {
  return installedModules(Array.isArray(installed) ? installed.join(',') : installed);
}

function textOf(query: URLSearchParams, name: string): string | null {
  const text = query.get(name);
  return text === null ? null : storableText(text);
}
