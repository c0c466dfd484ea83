import { type PackagedPage, packagedFile, packagedPage } from './packaged-page.js';

const PAGE_STYLE = 'body { margin: 0; }\n';

/** Redoc's logo in the footer is loaded from its vendor's server; it is hidden when it can't load. */
const MARK = 'https://cdn.redoc.ly/redoc/logo-mini.svg';

/** Search needs a blob worker, which the page's policy forbids; the browser's own search finds everything on the page. */
const pageScript = (documentPath: string): string => `Redoc.init(${JSON.stringify(documentPath)}, {
  disableSearch: true,
  hideDownloadButton: false,
  expandResponses: '200,201,202',
  sortEnumValuesAlphabetically: false,
  theme: {
    colors: { primary: { main: '#16324f' } },
    typography: { fontFamily: 'system-ui, sans-serif', headings: { fontFamily: 'system-ui, sans-serif' }, code: { fontFamily: 'ui-monospace, monospace' } },
    rightPanel: { backgroundColor: '#16263a' },
  },
}, document.getElementById('reference'));
`;

/** The REST contract as a readable page, rendered by Redoc. */
export async function loadApiReference(basePath = '/docs', documentPath = '/openapi.json'): Promise<PackagedPage> {
  const redoc = (await packagedFile('redoc', 'bundles/redoc.standalone.js')).toString();
  return packagedPage(basePath, {
    title: 'Quarterdeck API reference',
    body: '<div id="reference"></div>',
    styles: [{ name: 'page.css', content: PAGE_STYLE }],
    scripts: [
      { name: 'redoc.js', content: redoc.replaceAll(MARK, 'data:,') },
      { name: 'page.js', content: pageScript(documentPath) },
    ],
  });
}
