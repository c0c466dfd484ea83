import { byInput, liveOfProject, ofProject } from './matrix-arguments.js';
import type { GraphqlRow } from './matrix-row.js';

/** Operations on symbol files and related reads. */
export const SYMBOL_ROWS: Readonly<Record<string, GraphqlRow>> = {
  symbolArtifacts: { least: 'viewer', args: ofProject },
  symbolArtifact: { least: 'viewer', args: async (make) => ({ id: await make.artifact() }) },
  symbolDownloadUrl: { least: 'viewer', args: async (make) => ({ id: await make.artifact() }) },
  missingSymbols: { least: 'viewer', args: liveOfProject },
  crashFreeSessions: { least: 'viewer', args: liveOfProject },
  uploadSymbolArtifact: {
    least: 'editor',
    args: async (make) => ({ projectId: make.projectId, kind: 'js_sourcemap', release: make.slug(), file: null }),
    uploads: 'file',
    goesByToken: true,
  },
  beginSymbolUpload: {
    least: 'editor',
    args: byInput(async (make) => {
      const { kind, file_name, size_bytes, sha256, release } = make.announcedFile();
      const file = { symbolKind: kind, fileName: file_name, sizeBytes: size_bytes, sha256, release };
      return { projectId: make.projectId, environment: 'live', ...file };
    }),
  },
  uploadSymbolPart: {
    least: 'editor',
    args: async (make) => ({
      uploadId: await make.symbolUpload(),
      offset: 0,
      sha256: make.announcedFile().sha256,
      part: null,
    }),
    uploads: 'part',
  },
  completeSymbolUpload: {
    least: 'editor',
    args: byInput(async (make) => {
      const id = await make.symbolUpload();
      await make.sendSymbolPart(id);
      return { id };
    }),
  },
  abandonSymbolUpload: { least: 'editor', args: byInput(async (make) => ({ id: await make.symbolUpload() })) },
  deleteSymbolArtifact: {
    least: 'editor',
    args: byInput(async (make) => ({ id: await make.artifact() })),
  },
};
