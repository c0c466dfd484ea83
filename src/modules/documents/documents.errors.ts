import { defineFailures } from '../../kernel/errors.js';

export const documentsFailure = defineFailures({
  document_invalid: ({ problems }: { problems: { path: string; problem: string }[] }) =>
    `Nothing was stored: ${problems.map(({ path, problem }) => `${path}: ${problem}`).join('; ')}`,
  document_not_trusted: () =>
    'This server runs only stored documents. Send the documentId of one, or ask an operator to store this document.',
  document_not_found: () => 'No document with this id is stored. Send its text, or ask an operator to store it.',
  bad_document_id: () => 'A documentId must be "sha256:" followed by 64 lower-case hexadecimal digits.',
});
