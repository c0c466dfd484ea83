import { withRetries } from '../server/retries.js';
import { send } from '../server/send.js';
import { type CliSettings, UsageError } from '../settings/settings.js';
import { printJson, printLine, printMessage } from '../terminal.js';

const ID = /^sym_[0-9a-z]{26}$/;

/** Deletes artifacts by id; one that is already gone is not an error. Throws UsageError, Refused, Unreachable. */
export async function deleteSymbols(settings: CliSettings, ids: readonly string[], json: boolean): Promise<number> {
  const wrong = ids.find((id) => !ID.test(id));
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is not a symbol file id (sym_…). Run quarterdeck symbols list to see the ids.`);
  for (const id of ids) {
    await withRetries(() => send(settings, 'DELETE', `/api/v1/catch/symbols/${id}`, null), printMessage);
    if (!json) printLine(`deleted ${id}`);
  }
  if (json) printJson({ deleted: ids });
  return 0;
}
