/** A `fetch` for one upload that reports the share of the body sent, from 0 to 1, which the browser's own does not; `stop` ends it. */
export function fetchWithProgress(onProgress: (share: number) => void, stop?: AbortSignal): typeof fetch {
  return (input, init = {}) =>
    new Promise((answered, failed) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', String(input));
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.responseType = 'text';
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      request.onload = () => {
        const type = request.getResponseHeader('content-type') ?? '';
        answered(new Response(request.responseText, { status: request.status, headers: { 'content-type': type } }));
      };
      request.onerror = () => failed(new TypeError('The connection was lost.'));
      request.onabort = () => failed(new DOMException('Cancelled.', 'AbortError'));
      for (const signal of [init.signal, stop]) signal?.addEventListener('abort', () => request.abort());
      request.send(init.body as XMLHttpRequestBodyInit);
    });
}
