import { createHmac } from 'node:crypto';
import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { signObjectLink, verifyObjectLink } from '../../../storage/objects/object-links.js';
import { pulseFailure } from '../pulse.errors.js';
import type { ExportFormat } from './response-export.js';

export const EXPORT_LINKS_PATH = '/exports';

const LINK_SECONDS = 300;

export interface LinkedExport {
  readonly surveyId: string;
  readonly environment: Environment;
  readonly format: ExportFormat;
  /** Whether the caller who requested the link may read email addresses. */
  readonly withEmails: boolean;
}

/** Signed links to exports, valid for five minutes: a browser follows them without a token. */
export class ExportLinks {
  private readonly secrets: readonly [string, ...string[]];

  /** @param previousSecrets earlier secrets of the server: links signed with them are still valid */
  constructor(
    private readonly publicUrl: string,
    serverSecret: string,
    previousSecrets: readonly string[],
  ) {
    this.secrets = [linkSecret(serverSecret), ...previousSecrets.map(linkSecret)];
  }

  urlOf({ surveyId, environment, format, withEmails }: LinkedExport, now: Date): string {
    const key = JSON.stringify([surveyId, environment, format, withEmails]);
    const expiresAt = new Date(now.getTime() + LINK_SECONDS * 1_000);
    const link = signObjectLink(this.secrets[0], { key, fileName: `responses.${format}` }, expiresAt);
    return `${this.publicUrl}${EXPORT_LINKS_PATH}/${format}/${link}`;
  }

  /** The export of a link, from the last part of its path and its query. Fails with `invalid_link` if it expired or was altered. */
  read(format: ExportFormat, link: string, query: URLSearchParams, now: Date): LinkedExport {
    const allowed = verifyObjectLink(this.secrets, link, query, now);
    if (!allowed) throw pulseFailure('invalid_link');
    const [surveyId, environment, signedFormat, withEmails] = JSON.parse(allowed.key) as unknown[];
    if (!isEnvironment(environment) || signedFormat !== format) throw pulseFailure('invalid_link');
    return { surveyId: String(surveyId), environment, format, withEmails: withEmails === true };
  }
}

/** The server's secret isn't used for signing directly: a signature for an export isn't valid elsewhere. */
function linkSecret(serverSecret: string): string {
  return createHmac('sha256', serverSecret).update('export links').digest('base64url');
}
