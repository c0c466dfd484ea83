import { defineFailures } from '../../kernel/errors.js';

export const documentsFailure = defineFailures({
  document_invalid: ({ problems }: { problems: { path: string; problem: string }[] }) =>
    `Nothing was stored: ${problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ')}`,
  document_not_trusted: () =>
    'This server runs stored documents only: send the documentId of one, or have an operator store this document.',
  document_not_found: () => 'No document with this id is stored; send its text, or have an operator store it.',
  bad_document_id: () => 'A documentId is "sha256:" and 64 hexadecimal digits in lower case.',
});
