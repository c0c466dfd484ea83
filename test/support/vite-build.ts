import { build, type InlineConfig } from 'vite';

/** Builds with Vite in this process, and restores NODE_ENV, which Vite sets, for later test files. */
export async function viteBuild(config: InlineConfig): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    await build({ configFile: false, logLevel: 'error', ...config });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}
