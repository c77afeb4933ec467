import type { IncomingMessage } from 'node:http';

/** No blank and no character that ends a host, nor the comma of two that were joined on the way. */
const HOST = /^[^\s,/?#@\\]*$/;

/** A request without exactly one host. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/** Whether a request names its host as HTTP/1.1 wants: once. Before that it could leave it out. */
export function namesHost({ rawHeaders, headers, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 ? HOST.test(headers.host!) : hosts === 0 && httpVersion !== '1.1';
}
