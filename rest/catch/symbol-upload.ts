import type { Context } from '../../src/kernel/context.js';
import { chosenProject } from '../../src/modules/access/projects/project-choice.js';
import type { SymbolArtifact } from '../../src/modules/catch/symbols/symbol-artifact.entity.js';
import type { SymbolUploadService } from '../../src/modules/catch/symbols/symbol-upload.service.js';
import { namedProject } from '../named-project.js';
import type { RestRequest } from '../route.js';
import { readForm } from './multipart.js';

/**
 * Takes the form of an upload (docs/rest.md, Symbols). The caller's role is checked before a byte is read, unless only a
 * field of the form can say which project is meant.
 */
export async function uploadSymbols(
  uploads: SymbolUploadService,
  ctx: Context,
  request: RestRequest,
): Promise<SymbolArtifact> {
  const announced = await announcedProject(ctx, request);
  if (announced !== null) await uploads.authorizeUpload(ctx, announced);
  const { file, fields } = await readForm(request.message, request.cap, (stream, fileName) =>
    uploads.receive(stream, fileName, request.signal),
  );
  try {
    const isSettled =
      announced !== null && (namedProject(request.headers, request.query) !== null || !fields.has('project_id'));
    const projectId = isSettled ? announced : await chosenProject(ctx, fields.get('project_id') || null);
    return await uploads.register(ctx, projectId, file, {
      kind: fields.get('kind') ?? null,
      environment: fields.get('environment') ?? null,
      release: fields.get('release') ?? null,
      matchKey: fields.get('match_key') ?? null,
      commitSha: fields.get('commit_sha') ?? null,
    });
  } catch (error) {
    if (file !== null && typeof file !== 'symbol') await uploads.discard(file);
    throw error;
  }
}

/** The project that the token, the header, the query or the organization settles; null when the form has to. */
async function announcedProject(ctx: Context, { headers, query }: RestRequest): Promise<string | null> {
  const named = namedProject(headers, query);
  try {
    return await chosenProject(ctx, named);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'project_required') return null;
    throw error;
  }
}
