import type { QuotaCode } from '../../src/modules/quotas/quotas.errors.js';
import type { SwitchCode } from '../../src/modules/switch/switch.errors.js';
import { type ErrorRow, type ErrorTable, MESSAGE } from '../face/error-table.js';
import { handshakeErrors } from '../handshake/errors.js';
import { switchErrors } from '../switch/errors.js';

/** OpenFeature's remote evaluation expects `errorDetails` alongside the error that the other routes use. */
const explained = ({ status, fields, examples, body }: ErrorRow): ErrorRow => ({
  status,
  fields: { ...fields, errorDetails: MESSAGE },
  examples,
  body: (details, message) => ({ ...body(details, message), errorDetails: message }),
});

/** How OFREP requests fail before a flag is evaluated (open-feature/protocol, service/openapi.yaml). */
export const ofrepErrors = Object.fromEntries(
  Object.entries({ ...switchErrors, ...handshakeErrors }).map(([code, row]) => [code, explained(row)]),
) as ErrorTable<SwitchCode | QuotaCode>;
