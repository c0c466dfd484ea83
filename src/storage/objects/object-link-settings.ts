import { createHmac } from 'node:crypto';

/** Path under which links to objects on disk are served. */
export const OBJECT_LINKS_PATH = '/objects';

/** The secret of download links, made from the server's secret: a signature of a link is worth nothing elsewhere. */
export function objectLinkSecret(serverSecret: string): string {
  return createHmac('sha256', serverSecret).update('object links').digest('base64url');
}
