import { suite } from 'uvu';
import { quickly } from '../torture/quickly.js';
import { run } from '../torture/webhooks/webhooks.torture.js';

const kills = suite('webhooks and a killed server');

kills(
  'kills amid writes and after a commit, in front of a hostile receiver: nothing lost, nothing phantom, every signature good',
  () => quickly(1, run),
);

kills.run();
