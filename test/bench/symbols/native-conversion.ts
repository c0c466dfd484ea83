/**
 * Converts one native symbol file in a separate process, as a worker does, and prints the cost as JSON:
 *
 *     node native-conversion.js FILE [TABLE]    → {"seconds":…, "cpuSeconds":…, "rssMiB":…, "tableMiB":…}
 *
 * `seconds` covers reading the file and building the table. With TABLE, the first table is written to that file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { convertNative } from '../../../src/symbols/native/convert-native.js';

const MIB = 1024 * 1024;
const [file = '', table] = process.argv.slice(2);
const started = performance.now();
const [image] = convertNative(readFileSync(file)).images;
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage();
if (image && table) writeFileSync(table, image.table);
process.stdout.write(
  JSON.stringify({
    seconds,
    cpuSeconds: (user + system) / 1e6,
    rssMiB: process.resourceUsage().maxRSS / 1024,
    tableMiB: (image?.table.length ?? 0) / MIB,
  }),
);
