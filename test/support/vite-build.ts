import { build, type InlineConfig } from 'vite';

/** Builds with Vite in this process, whose NODE_ENV Vite sets for the test files that come after. */
export async function viteBuild(config: InlineConfig): Promise<void> {
  const { NODE_ENV } = process.env;
  try {
    await build({ configFile: false, logLevel: 'error', ...config });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}
