import { type PackagedPage, packagedFile, packagedPage } from './packaged-page.js';
import { playgroundScript } from './playground-script.js';

const PAGE_STYLE = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font-family: system-ui, sans-serif; }
header { display: flex; gap: 1rem; align-items: center; padding: 0.5rem 1rem; background: #16324f; color: #fff; }
header strong { flex: none; }
header label { display: flex; flex: 1; gap: 0.5rem; align-items: center; justify-content: flex-end; font-size: 0.875rem; }
header input { flex: 0 1 32rem; padding: 0.25rem 0.5rem; border: 0; border-radius: 4px; font-family: monospace; }
#graphiql { flex: 1; min-height: 0; }
`;

const PAGE_BODY = `<header>
<strong>Quarterdeck</strong>
<label>Token <input id="token" type="password" autocomplete="off" spellcheck="false" placeholder="paste one, or run the tab SignIn"></label>
</header>
<div id="graphiql"></div>`;

/**
 * GraphiQL for the schema of this server.
 * @param basePath path of the page
 * @param graphqlPath path of the GraphQL endpoint on the same origin
 */
export async function loadPlayground(basePath = '/playground', graphqlPath = '/graphql'): Promise<PackagedPage> {
  return packagedPage(basePath, {
    title: 'Quarterdeck playground',
    body: PAGE_BODY,
    styles: [
      { name: 'graphiql.css', content: await packagedFile('graphiql', 'graphiql.min.css') },
      { name: 'page.css', content: PAGE_STYLE },
    ],
    scripts: [
      { name: 'react.js', content: await packagedFile('react', 'umd/react.production.min.js') },
      { name: 'react-dom.js', content: await packagedFile('react-dom', 'umd/react-dom.production.min.js') },
      { name: 'graphiql.js', content: await packagedFile('graphiql', 'graphiql.min.js') },
      { name: 'page.js', content: playgroundScript(graphqlPath) },
    ],
  });
}
