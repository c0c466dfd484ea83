import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run as runSymbolsKill } from './symbols-kill.torture.js';

const x = suite('symbol uploads under torture, in their quick form');

x('an upload is durable in its order, and a kill at each of its steps leaves nothing wrong', () =>
  quickly(1, runSymbolsKill),
);

x.run();
