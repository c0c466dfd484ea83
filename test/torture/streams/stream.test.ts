import { suite } from 'uvu';
import { quickly } from '../quickly.js';
import { run } from './stream.torture.js';
import { run as runIdle } from './streams-idle.torture.js';

const IDLE_STREAMS = 80;

const x = suite('streams under load, quickly');

x('organizations hear only of their own changes, and one change reaches many idle streams without a rejection', () =>
  quickly(40, async (torture) => {
    const env = { DATABASE_URL: await torture.createDatabase(), STREAMS_PER_KEY: String(IDLE_STREAMS + 10) };
    const server = await torture.startServer({ env });
    const withServer = { ...torture, startServer: async () => server };
    return [...(await run(withServer)), ...(await runIdle({ ...withServer, count: IDLE_STREAMS }))];
  }),
);

x.run();
