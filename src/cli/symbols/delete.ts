import { withRetries } from '../server/retries.js';
import { send } from '../server/send.js';
import { type CliSettings, UsageError } from '../settings/settings.js';
import { say, sayJson, tell } from '../terminal.js';

const ID = /^sym_[0-9a-z]{26}$/;

/** Deletes artifacts by their ids; one that is gone already is no failure. Throws UsageError, Refused, Unreachable. */
export async function deleteSymbols(settings: CliSettings, ids: readonly string[], json: boolean): Promise<number> {
  const wrong = ids.find((id) => !ID.test(id));
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is no id of a symbol file, as sym_…; symbols list shows them.`);
  for (const id of ids) {
    await withRetries(() => send(settings, 'DELETE', `/api/v1/catch/symbols/${id}`, null), tell);
    if (!json) say(`deleted ${id}`);
  }
  if (json) sayJson({ deleted: ids });
  return 0;
}
