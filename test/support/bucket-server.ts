import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An S3-compatible server with one empty bucket, and the settings that make the product use it. */
export interface BucketServer {
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Starts s3rver, which does not check signatures, in this process on a free port. */
export async function startBucketServer(): Promise<BucketServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bucket-'));
  const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => { run(): Promise<AddressInfo> };
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'symbols' }],
  });
  const { port } = await server.run();
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'symbols',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    async close() {
      const { httpServer } = server as unknown as { httpServer: Server };
      httpServer.close();
      httpServer.closeAllConnections();
      await once(httpServer, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
