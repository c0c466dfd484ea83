import type { SessionKeeper } from '../../kernel/verb-context.js';

const NAME = 'quarterdeck_session';
const PATH = '/graphql';
const TOKEN = new RegExp(`(?:^|;\\s*)${NAME}=([\\w.-]+)`);

interface Headers {
  get(header: string): string;
}

/**
 * The token in the session's cookie. It counts only beside `apollo-require-preflight`, which a page of another origin, one of the same
 * host on another port too, cannot send without a permission that this server does not give; SameSite does not tell ports apart.
 */
export function sessionTokenOf(request: Headers): string | null {
  if (request.get('apollo-require-preflight') === '') return null;
  return TOKEN.exec(request.get('cookie'))?.[1] ?? null;
}

/** Writes the cookie of one answer. It ends with the browser, or with its token. */
export class SessionCookie implements SessionKeeper {
  /** `secure`: whether the installation is reached by HTTPS alone. */
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
