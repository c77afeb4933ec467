/*
 * A comparison of two servers means something only when they answer alike: status, content type, and the same
 * JSON with its keys in the same order. What differs from answer to answer (ids, times, version numbers of
 * writes, tokens) is compared by its form.
 */
import { request as httpRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { scenarios } from './scenarios.mjs';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** What a write makes anew. */
const MADE = { id: UUID, formulaId: UUID, createdAt: TIME, updatedAt: TIME };
const COUNTED = new Set(['versionNumber', 'currentVersion']);

function shape(value, key, writes) {
  if (Array.isArray(value)) return value.map((item) => shape(item, undefined, writes));
  if (value !== null && typeof value === 'object') {
    // A named ingredient or project exists already.
    const known = key === 'ingredient' || key === 'project';
    return Object.entries(value).map(([name, item]) => [name, shape(item, name, writes && !known)]);
  }
  if (key === 'timestamp' && TIME.test(value)) return 'a time';
  if (key === 'token' && TOKEN.test(value)) return 'a token';
  if (key === 'distance') return Number(value.toPrecision(9));
  if (writes && COUNTED.has(key) && Number.isInteger(value)) return 'a number';
  if (writes && MADE[key]?.test(value)) return `a ${key}`;
  return value;
}

/** Sends what the load generator sends, raw, and reads one answer. */
function ask(port, raw) {
  const end = raw.indexOf('\r\n\r\n');
  const [first, ...lines] = raw.slice(0, end).split('\r\n');
  const [method, path] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode,
          type: response.headers['content-type'],
          body: JSON.parse(Buffer.concat(chunks).toString()),
        }),
      );
    });
    request.on('error', reject);
    request.end(raw.slice(end + 4));
  });
}

/** Where the two servers' answers differ, one text per difference. */
export async function differences({ floor, service, names, token }) {
  const found = [];
  for (const name of names) {
    const { request, status } = scenarios[name];
    for (const number of [1, 2, 3, 4, 5, 6]) {
      const raw = request(number, token);
      const writes = !raw.startsWith('GET ');
      const [expected, actual] = [await ask(floor.port, raw), await ask(service.port, raw)].map((answer) => ({
        ...answer,
        body: shape(answer.body, undefined, writes),
      }));
      if (expected.status !== status || !isDeepStrictEqual(expected, actual)) {
        const text = (answer) => JSON.stringify(answer).slice(0, 1500);
        found.push(`${name} ${number} differs:\n    floor   ${text(expected)}\n    service ${text(actual)}`);
        break;
      }
    }
  }
  return found;
}
