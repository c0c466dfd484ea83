/** The steps of a symbol upload at which the server is killed, in order, by where objects are kept. */
export const UPLOAD_STEPS = {
  disk: [
    'a part of the file written',
    'file written, before its fsync',
    'file synced, before the rename',
    'renamed, before the fsync of the directory',
    'directory synced, before COMMIT',
    'COMMIT done, before the 201',
  ],
  bucket: [
    'a part sent',
    'all parts sent, before the upload is completed',
    'upload completed, before COMMIT',
    'COMMIT done, before the 201',
  ],
} as const;

/** The moment when a part of a file arrives; earlier parts may already be stored. */
export const PART_BEGUN = 'a part begun';

/** What a durable upload to disk does, in order. */
export const DURABLE_ORDER = ['write', 'fsync file', 'rename', 'fsync directory', 'COMMIT', '201'];

/** The settings that tell the server's process what to do, see kill-at-step.ts. */
export const STEP_SETTINGS = { step: 'TORTURE_STEP', upload: 'TORTURE_UPLOAD', log: 'TORTURE_LOG' } as const;
