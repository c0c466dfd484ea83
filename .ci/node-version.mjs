/** Exits with a clear message unless running on Node 24 or newer. */
export function requireNode24() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 24) return;
  process.stderr.write(
    `Quarterdeck needs Node 24 or newer; this is ${process.version}.\n` +
      'Start it through npm (npm start, npm test), which uses the Node 24 installed by npm ci on Linux,\n' +
      'or run node_modules/.bin/node; on other systems install Node 24 yourself.\n',
  );
  process.exit(1);
}
