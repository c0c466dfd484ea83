import { PLAYGROUND_EXAMPLES } from './playground-examples.js';

/**
 * The script of the playground page. The token stays in the tab's session storage, is sent as a bearer token, and is taken
 * over from the answer of `signIn`.
 * @param graphqlPath path of the GraphQL endpoint on the same origin
 */
export function playgroundScript(graphqlPath: string): string {
  const tabs = PLAYGROUND_EXAMPLES.map(({ query, variables }) => ({
    query,
    variables: variables ? JSON.stringify(variables, null, 2) : '',
  }));
  return `'use strict';
const endpoint = ${JSON.stringify(graphqlPath)};
const tabs = ${JSON.stringify(tabs, null, 1)};
const field = document.getElementById('token');
const root = ReactDOM.createRoot(document.getElementById('graphiql'));
// GraphiQL shows a default tab's variables only after a change of tabs.
const firstVariables = localStorage.getItem('graphiql:tabState') ? undefined : tabs[0].variables;
field.value = sessionStorage.getItem('token') || '';

async function send(params, options) {
  const headers = { accept: 'application/graphql-response+json, application/json', 'content-type': 'application/json' };
  const token = field.value.trim();
  if (token) headers.authorization = 'Bearer ' + token;
  Object.assign(headers, options && options.headers);
  const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(params) });
  const answer = await response.json();
  const session = answer.data && answer.data.signIn;
  if (session && session.token) {
    field.value = session.token;
    keepToken();
  }
  return answer;
}

function keepToken() {
  sessionStorage.setItem('token', field.value.trim());
  render();
}

function render() {
  root.render(
    React.createElement(GraphiQL, {
      fetcher: (params, options) => send(params, options),
      defaultTabs: tabs,
      variables: firstVariables,
      shouldPersistHeaders: false,
      defaultEditorToolsVisibility: 'variables',
    }),
  );
}

field.addEventListener('change', keepToken);
render();
`;
}
