import type { Context } from '../../src/kernel/context.js';
import { chosenProject } from '../../src/modules/access/projects/project-choice.js';
import type { SymbolArtifact } from '../../src/modules/catch/symbols/symbol-artifact.entity.js';
import type { SymbolUploadService } from '../../src/modules/catch/symbols/symbol-upload.service.js';
import { namedProject } from '../named-project.js';
import type { RestRequest } from '../route.js';
import { readForm } from './multipart.js';

/**
 * Handles an upload form (docs/rest.md, Symbols). The caller's role is checked before a byte is read, unless only a form field can name the
 * project.
 */
export async function uploadSymbols(
  uploads: SymbolUploadService,
  ctx: Context,
  request: RestRequest,
): Promise<SymbolArtifact> {
  const announced = await announcedProject(uploads, ctx, request);
  const { file, fields } = await readForm(request.message, request.cap, (stream, fileName) =>
    uploads.receive(stream, fileName, request.signal),
  );
  try {
    const projectId = await settledProject(ctx, request, announced, fields.get('project_id'));
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

/**
 * The project of an upload if the token, header, query or organization determines it, with the caller's role checked; null if only the body
 * can name it.
 */
export async function announcedProject(
  uploads: SymbolUploadService,
  ctx: Context,
  { headers, query }: RestRequest,
): Promise<string | null> {
  try {
    const projectId = await chosenProject(ctx, namedProject(headers, query));
    await uploads.authorizeUpload(ctx, projectId);
    return projectId;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'project_required') return null;
    throw error;
  }
}

/** The project of an upload once its body is known; a project in the URL or a header takes precedence. */
export async function settledProject(
  ctx: Context,
  { headers, query }: RestRequest,
  announced: string | null,
  inBody: string | undefined,
): Promise<string> {
  const isSettled = announced !== null && (namedProject(headers, query) !== null || !inBody);
  return isSettled ? announced : chosenProject(ctx, inBody || null);
}
