import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run } from './stream.torture.js';
import { run as runIdle } from './streams-idle.torture.js';

const x = suite('streams under load, quickly');

x('two organizations hear of themselves alone', () => quickly(40, run));

x('many idle streams are told of one change and ask again, without a refusal', () => quickly(120, runIdle));

x.run();
