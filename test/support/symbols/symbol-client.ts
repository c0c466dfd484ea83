import type { Client, RestAnswer } from '../client.js';

/** An artifact as the REST API shows it. */
export interface ArtifactBody {
  id: string;
  project_id: string;
  environment: string;
  kind: string;
  release: string;
  match_key: string;
  size_bytes: number;
  sha256: string;
  status: string;
  uploaded_at: string;
  storage_path: string;
  original_name: string;
}

/** A small valid source map. */
export const SMALL_MAP = '{"version":3,"sources":[],"names":[],"mappings":""}';

/** Uploads a symbol file. Undefined fields are omitted; `file` comes first or last. */
export async function uploadSymbols(
  client: Client,
  file: { name: string; bytes: string | Uint8Array } | null,
  fields: Record<string, string>,
  order: 'file first' | 'file last' = 'file first',
): Promise<RestAnswer> {
  const form = new FormData();
  const part = file && new Blob([file.bytes as string], { type: 'application/octet-stream' });
  if (file && part && order === 'file first') form.set('file', part, file.name);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (file && part && order === 'file last') form.set('file', part, file.name);
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  return client.send('POST', '/api/v1/catch/symbols', bytes, { 'content-type': contentType });
}

export const artifactOf = (answer: RestAnswer): ArtifactBody => (answer.body as { artifact: ArtifactBody }).artifact;
