import { createHmac } from 'node:crypto';

export const OBJECT_LINKS_PATH = '/objects';

/** The secret for download links, derived from the server's secret, so that link signatures are useless elsewhere. */
export function objectLinkSecret(serverSecret: string): string {
  return createHmac('sha256', serverSecret).update('object links').digest('base64url');
}
