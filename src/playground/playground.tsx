import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './playground.css';
import { GraphiQL } from 'graphiql';
import { getOperationAST, type OperationDefinitionNode, parse } from 'graphql';
import { createClient, type RequestParams } from 'graphql-sse';
import type { ComponentProps } from 'react';
import { createRoot } from 'react-dom/client';
import { PLAYGROUND_EXAMPLES } from './examples.js';

const TOKEN = 'token';
const field = document.getElementById('token') as HTMLInputElement;
const root = createRoot(document.getElementById('graphiql') as HTMLElement);
const tabs = PLAYGROUND_EXAMPLES.map(({ query, variables }) => ({
  query,
  variables: variables ? JSON.stringify(variables, null, 2) : '',
}));

/** GraphiQL shows a default tab's variables only after switching tabs. */
const firstVariables = localStorage.getItem('graphiql:tabState') ? undefined : tabs[0]?.variables;

interface Answer {
  data?: { signIn?: { token?: string } | null } | null;
}

type Headers = Record<string, string>;

/** The token is kept in the tab's session storage and sent as a bearer token, unless the tab sets its own header. */
function headersWith(own: Headers | undefined): Headers {
  const token = field.value.trim();
  return { ...(token ? { authorization: `Bearer ${token}` } : {}), ...own };
}

/** Sends a query or mutation. Takes the token from a `signIn` response. */
async function send(body: object, headers: Headers): Promise<Answer> {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json, application/json',
      'content-type': 'application/json',
      ...headers,
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

/** Yields a subscription's results until it is stopped. */
function listen(request: RequestParams, headers: Headers): AsyncIterable<unknown> {
  return createClient({ url: '/graphql/stream', headers, retryAttempts: 0 }).iterate(request);
}

/** GraphiQL reports the operation a moment after the text changes; until then it reports the previous one. */
function operationIn({ query, operationName }: RequestParams): OperationDefinitionNode | null | undefined {
  try {
    const document = parse(query);
    return getOperationAST(document, operationName) ?? getOperationAST(document);
  } catch {
    // The server reports where the text is invalid.
    return undefined;
  }
}

const ask: ComponentProps<typeof GraphiQL>['fetcher'] = (params, options) => {
  const headers = headersWith(options?.headers);
  const operation = operationIn(params as RequestParams);
  const request = (operation ? { ...params, operationName: operation.name?.value } : params) as RequestParams;
  return operation?.operation === 'subscription' ? listen(request, headers) : send(request, headers);
};

function keepToken(): void {
  sessionStorage.setItem(TOKEN, field.value.trim());
  render();
}

/** A new fetcher makes GraphiQL reload the schema, which requires a token. */
function render(): void {
  root.render(
    <GraphiQL
      fetcher={(request, options) => ask(request, options)}
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
