import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run as runSymbolsKill } from './symbols-kill.torture.js';

const x = suite('symbol uploads under torture, in their quick form');

x('an upload becomes durable in the right order, and a kill at any step leaves no inconsistency', () =>
  quickly(1, runSymbolsKill),
);

x.run();
