import { type ErrorTable, faceErrors } from '../face/error-table.js';

/** docs/rest.md, Streams. */
export const streamErrors: ErrorTable = faceErrors;
