import { type ErrorTable, faceErrors } from '../error-table.js';

/** docs/rest.md, Streams. */
export const streamErrors: ErrorTable = faceErrors;
