import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run } from './backup.torture.js';

const backups = suite('backups of a large table, in the quick form');

backups('finish or say why not, and restore everything', () => quickly(2, run));

backups.run();
