import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run as runSymbolsResume } from './symbols-resume.torture.js';

const x = suite('a broken upload of symbols, in its quick form');

x('resumes where it stopped when the server is back', () => quickly(65, runSymbolsResume));

x.run();
