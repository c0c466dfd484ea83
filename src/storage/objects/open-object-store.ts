import { join } from 'node:path';
import { DiskObjects } from './disk-objects.js';
import type { ObjectStore } from './object-store.js';

/** The settings that choose a store, named like the environment variables. */
export interface ObjectStoreOptions {
  /** Without it, objects are files in `dataDir`/objects. */
  s3Endpoint: string | null;
  s3PublicEndpoint: string | null;
  s3Bucket: string;
  s3Region: string;
  s3AccessKeyId: string | null;
  s3SecretAccessKey: string | null;
  dataDir: string;
}

/** How links to objects on disk begin (no trailing slash) and are signed; a bucket signs its own. */
export interface DiskLinks {
  linkBase: string;
  linkSecret: string;
}

/**
 * A bucket when an endpoint is set, else the disk. Nothing is contacted yet; the S3 library is loaded only for a
 * bucket.
 */
export async function openObjectStore(options: ObjectStoreOptions, links: DiskLinks): Promise<ObjectStore> {
  if (!options.s3Endpoint) return new DiskObjects({ folder: join(options.dataDir, 'objects'), ...links });
  const { S3Objects } = await import('./s3-objects.js');
  return new S3Objects({
    endpoint: options.s3Endpoint,
    publicEndpoint: options.s3PublicEndpoint,
    bucket: options.s3Bucket,
    region: options.s3Region,
    accessKeyId: options.s3AccessKeyId,
    secretAccessKey: options.s3SecretAccessKey,
  });
}
