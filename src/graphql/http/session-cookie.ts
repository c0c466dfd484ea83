import type { SessionKeeper } from '../../kernel/verb-context.js';

const NAME = 'quarterdeck_session';
const PATH = '/graphql';
const TOKEN = new RegExp(`(?:^|;\\s*)${NAME}=([\\w.-]+)`);

interface Headers {
  get(header: string): string;
}

/**
 * The token in the session cookie. It counts only alongside `apollo-require-preflight`, a header that a page of another origin, even on
 * another port of the same host, can't send without CORS permission, which this server doesn't give. SameSite doesn't distinguish ports.
 */
export function sessionTokenOf(request: Headers): string | null {
  if (request.get('apollo-require-preflight') === '') return null;
  return TOKEN.exec(request.get('cookie'))?.[1] ?? null;
}

/** Writes the cookie of one response. It ends with the browser session, or with its token. */
export class SessionCookie implements SessionKeeper {
  /** `secure`: whether the installation is reached over HTTPS only. */
  constructor(
    private readonly response: { set(header: string, value: string): void },
    private readonly secure: boolean,
    readonly isCallers: boolean,
  ) {}

  keep(token: string): void {
    this.write(token, '');
  }

  forget(): void {
    this.write('', '; Max-Age=0');
  }

  private write(value: string, life: string): void {
    const secure = this.secure ? '; Secure' : '';
    this.response.set('set-cookie', `${NAME}=${value}; Path=${PATH}; HttpOnly; SameSite=Strict${secure}${life}`);
  }
}
