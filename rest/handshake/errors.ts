import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import { type ErrorTable, errorWithMessage, faceErrors, monthlyQuotaExceeded } from '../face/error-table.js';

/** docs/rest.md, Handshake; an exceeded quota is answered as in ingestion (docs/rest.md, Handshake and Ingestion). */
export const handshakeErrors: ErrorTable<QuotaCode> = {
  ...faceErrors,
  negative_limit: errorWithMessage(400, 'negative_limit'),
  quota_exceeded: monthlyQuotaExceeded(429),
};
