/** Loaded before `main.js` (`node --import`): gives the server the clock of the test that started it. */
import { systemClock } from '../../src/kernel/clock.js';
import { readSteeredClock } from './steered-clock.js';

const { STEERED_CLOCK: path } = process.env;
if (path) Object.assign(systemClock, { now: readSteeredClock(path) });
