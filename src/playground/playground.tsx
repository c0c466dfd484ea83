import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './playground.css';
import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import { PLAYGROUND_EXAMPLES } from './examples.js';

const TOKEN = 'token';
const field = document.getElementById('token') as HTMLInputElement;
const root = createRoot(document.getElementById('graphiql') as HTMLElement);
const tabs = PLAYGROUND_EXAMPLES.map(({ query, variables }) => ({
  query,
  variables: variables ? JSON.stringify(variables, null, 2) : '',
}));

/** GraphiQL shows a default tab's variables only after a change of tabs. */
const firstVariables = localStorage.getItem('graphiql:tabState') ? undefined : tabs[0]?.variables;

interface Answer {
  data?: { signIn?: { token?: string } | null } | null;
}

/** The token stays in the tab's session storage, is sent as a bearer token, and is taken over from the answer of `signIn`. */
async function send(body: object, options?: { headers?: Record<string, string> }): Promise<Answer> {
  const token = field.value.trim();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...options?.headers,
    },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer;
  const fresh = answer.data?.signIn?.token;
  if (fresh) {
    field.value = fresh;
    keepToken();
  }
  return answer;
}

function keepToken(): void {
  sessionStorage.setItem(TOKEN, field.value.trim());
  render();
}

/** A new fetcher makes GraphiQL ask for the schema again, which the caller may see only with a token. */
function render(): void {
  root.render(
    <GraphiQL
      fetcher={(params, options) => send(params, options)}
      defaultTabs={tabs}
      initialVariables={firstVariables}
      shouldPersistHeaders={false}
      defaultEditorToolsVisibility="variables"
    />,
  );
}

field.value = sessionStorage.getItem(TOKEN) ?? '';
field.addEventListener('change', keepToken);
render();
