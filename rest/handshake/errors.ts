import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import { type ErrorTable, errorWithMessage, faceErrors, monthlyQuotaExceeded } from '../error-table.js';

/** Service interface 7, "Rate limit response"; a quota that is used up answers as ingestion does (decisions 3, 4). */
export const handshakeErrors: ErrorTable<QuotaCode> = {
  ...faceErrors,
  negative_limit: errorWithMessage(400, 'negative_limit'),
  quota_exceeded: monthlyQuotaExceeded(429),
};
