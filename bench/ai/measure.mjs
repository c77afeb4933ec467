import { request as httpRequest } from 'node:http';

/** Milliseconds at a share (0 to 1) of sorted measurements. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => quantile(values, 0.5);

/** One request on a kept connection; resolves when its answer has been read. */
export function send(agent, base, { method = 'GET', path, token, body }) {
  return new Promise((resolve, reject) => {
    const { port } = new URL(base);
    const text = body === undefined ? undefined : JSON.stringify(body);
    const request = httpRequest(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}

/**
 * `connections` clients send `request` again and again for `seconds`; gives requests per second and all
 * latencies (ms).
 */
export async function load(agent, base, request, { connections, seconds }) {
  const latencies = [];
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  const client = async () => {
    while (performance.now() < end) {
      const sentAt = performance.now();
      const { status } = await send(agent, base, request);
      if (status !== 200) throw new Error(`${request.path} answered ${status}`);
      latencies.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  return { perSecond: latencies.length / ((performance.now() - startedAt) / 1000), latencies };
}
