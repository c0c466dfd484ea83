import { suite } from 'uvu';
import { quickly } from '../torture/quickly.js';
import { run } from '../torture/webhooks/webhooks.torture.js';

const kills = suite('webhooks and a killed server');

kills(
  'kills during writes and after a commit, with a hostile receiver: nothing lost, nothing invented, every signature valid',
  () => quickly(1, run),
);

kills.run();
