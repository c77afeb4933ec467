/*
 * What the rudest clients do, by name. Each runs until its time is over, in a process of its own, from one
 * address and with one account.
 */
import http from 'node:http';
import net from 'node:net';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { formulaOf } from './formula-of.mjs';

const MB = 1024 * 1024;
/** Lines of the largest formula that is allowed. */
const MOST_LINES = 1000;
const LARGEST_JSON = 63 * 1024;

const many = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const unique = (length) => randomBytes(length).toString('hex').slice(0, length);

/** A client of the service under attack. */
class Client {
  answers = {};
  largestError = 0;

  constructor({ port, token, address, seconds, ids }) {
    Object.assign(this, { port, token, address, ids });
    this.agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
    this.end = performance.now() + seconds * 1000;
  }

  get over() {
    return performance.now() >= this.end;
  }

  /** One request; its answer is read to the end. @returns status and text, status 0 for no answer */
  ask(method, path, { body, headers = {}, token = this.token } = {}) {
    const payload = body === undefined || body instanceof Buffer ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve) => {
      const request = http.request(
        {
          host: '127.0.0.1',
          port: this.port,
          localAddress: this.address,
          agent: this.agent,
          method,
          path,
          timeout: Math.max(1000, this.end - performance.now()),
          headers: {
            ...(token && { Authorization: `Bearer ${token}` }),
            ...(payload && { 'Content-Type': 'application/json', 'Content-Length': payload.length }),
            ...headers,
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('error', () => resolve({ status: 0, text: '' }));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            if (response.statusCode >= 400) this.largestError = Math.max(this.largestError, text.length);
            resolve({ status: response.statusCode, text });
          });
        },
      );
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve({ status: 0, text: '' }));
      request.end(payload);
    }).then((answer) => {
      this.answers[answer.status] = (this.answers[answer.status] ?? 0) + 1;
      return answer;
    });
  }

  /** So many at once, each again as soon as it is answered, until the time is over. */
  async repeat(atOnce, work) {
    let number = 0;
    await Promise.all(
      many(atOnce, async () => {
        while (!this.over) {
          await work(number++);
          // Whoever is refused at once would only measure how fast it can ask again.
          await pause(1);
        }
      }),
    );
  }

  /** A bare connection. */
  connect() {
    const socket = net.connect({ host: '127.0.0.1', port: this.port, localAddress: this.address });
    socket.on('error', () => undefined);
    return socket;
  }
}

const login = (client, body, options) =>
  client.ask('POST', '/api/auth/login', { body, token: '', ...options });
const importing = (client, kind, type, body) =>
  client.ask('POST', `/api/ext/import/${kind}`, { body, headers: { 'Content-Type': type } });
const manyKeys = () => Buffer.from(`{${many(120_000, (n) => `"${n.toString(36)}":1`).join()}}`);
const objects = (prefix, suffix) => Buffer.from(`${prefix}${many(MB / 3 - 20, () => '{}').join()}${suffix}`);
const misspelt = (words) => many(words, () => unique(10)).join(' ');

/** 200 connections, each with 990 times the same request and then again when all of them are answered. */
async function flood(client, request) {
  const requests = Buffer.from(request.repeat(990));
  const sockets = new Set();
  const open = () => {
    const socket = client.connect();
    sockets.add(socket);
    socket.resume();
    socket.write(requests, () => socket.write(requests));
    socket.on('close', () => sockets.delete(socket) && !client.over && open());
  };
  many(200, open);
  while (!client.over) await pause(50);
  for (const socket of sockets) socket.destroy();
}

export const attacks = {
  'many distinct keys in a login, 1 MB, 4 at once': (client) => {
    const body = manyKeys();
    return client.repeat(4, () => login(client, body));
  },
  '`[{},{},…]` in a login, 4 at once': (client) => {
    const body = objects('[', ']');
    return client.repeat(4, () => login(client, body));
  },
  'gzip bodies without a token, 16 at once': (client) => {
    const body = gzipSync(Buffer.alloc(MB - 10, ' '));
    return client.repeat(16, () =>
      client.ask('POST', '/api/formulas', {
        body,
        token: '',
        headers: { 'Content-Encoding': 'gzip' },
      }),
    );
  },
  '16 misspelt words in a search, 8 at once': (client) =>
    client.repeat(8, () => client.ask('GET', `/api/formulas?search=${encodeURIComponent(misspelt(16))}`)),
  'explore with thousands of names, 4 at once': (client) =>
    client.repeat(4, () =>
      client.ask('POST', '/api/ai/explore-formula', {
        body: {
          baseIngredients: many(8000, (n) => ({ name: `Name ${n}`, percentage: 0.0125 })),
          keepIngredients: many(8000, (n) => `Keep ${n}`),
          excludeIngredients: many(8000, (n) => `Exclude ${n}`),
          costLimit: 10,
        },
      }),
    ),
  'explore with as many names as allowed, 4 at once': (client) =>
    client.repeat(4, () =>
      client.ask('POST', '/api/ai/explore-formula', {
        body: {
          baseIngredients: many(MOST_LINES, (n) => ({ name: `Name ${n}`, percentage: 0.1 })),
          keepIngredients: many(200, (n) => `Name ${n}`),
          excludeIngredients: many(200, (n) => `Name ${n + 500}`),
          costLimit: 10,
        },
      }),
    ),
  'extract of 20 000 characters of unknown names, 4 at once': (client) =>
    client.repeat(4, () =>
      client.ask('POST', '/api/ai/extract-formula', {
        body: {
          text: many(2700, () => `${unique(4)} 1`)
            .join('\n')
            .slice(0, 20_000),
        },
      }),
    ),
  'extract of 20 000 characters of numbers without names, 4 at once': (client) =>
    client.repeat(4, () =>
      client.ask('POST', '/api/ai/extract-formula', { body: { text: '约1'.repeat(10_000) } }),
    ),
  'explore with 1,000 names in each list, 4 at once': (client) =>
    client.repeat(4, () =>
      client.ask('POST', '/api/ai/explore-formula', {
        body: {
          baseIngredients: many(MOST_LINES, (n) => ({ name: `Base ${n}`, percentage: 0.1 })),
          keepIngredients: many(MOST_LINES, (n) => `Keep ${n}`),
          excludeIngredients: many(MOST_LINES, (n) => `Exclude ${n}`),
        },
      }),
    ),
  '100 broad natural-language searches at once': (client) =>
    client.repeat(100, () =>
      client.ask('GET', `/api/ai/search?q=${encodeURIComponent('保湿 舒缓 cream lotion serum 霜 乳液')}`),
    ),
  '`{"phases":[{},{},…]}`, 1 MB, 4 at once': (client) => {
    const body = objects('{"name":"x","phases":[', ']}');
    return client.repeat(4, () => client.ask('POST', '/api/formulas', { body }));
  },
  '100 connections that never read': async (client) => {
    const sockets = many(100, () => {
      const socket = client.connect();
      socket.pause();
      const one =
        `GET /api/formulas?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n` +
        `GET /api/formulas/${client.ids.largest} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n`;
      socket.write(one.repeat(20));
      return socket;
    });
    while (!client.over) await pause(50);
    for (const socket of sockets) socket.destroy();
  },
  '200 connections that write 990 requests each, without a token': (client) =>
    flood(client, 'GET /api/auth/me HTTP/1.1\r\nHost: x\r\n\r\n'),
  '200 connections that write 990 requests each, with a token': (client) =>
    flood(
      client,
      `GET /api/formulas/${client.ids.largest} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${client.token}\r\n\r\n`,
    ),
  '8 accounts that stall an upload and do not read an export': async (client) => {
    const tokens = await Promise.all(
      many(8, async () => {
        const body = { username: `x${unique(12)}`, password: 'secret' };
        const { text } = await client.ask('POST', '/api/auth/register', { body, token: '' });
        return JSON.parse(text).data.token;
      }),
    );
    const sockets = tokens.flatMap((token) => {
      const head = (line) => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
      const [upload, download] = [client.connect(), client.connect()];
      upload.write(
        `${head('POST /api/ext/import/formulas')}Content-Type: text/csv\r\nContent-Length: 9000\r\n\r\nname`,
      );
      download.pause();
      download.write(`${head('GET /api/ext/export/formulas?format=json')}\r\n`);
      return [upload, download];
    });
    while (!client.over) await pause(50);
    for (const socket of sockets) socket.destroy();
  },
  'slow bodies and slow headers, 400': async (client) => {
    const sockets = many(400, (n) => {
      const socket = client.connect();
      socket.resume();
      socket.write(
        n % 2 === 0
          ? 'GET /api/health HTTP/1.1\r\nHost: x\r\n'
          : 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
      );
      return socket;
    });
    for (let n = 0; !client.over; n += 1) {
      for (const socket of sockets) if (socket.writable) socket.write(n % 2 === 0 ? 'X: y\r\n' : ' ');
      await pause(500);
    }
    for (const socket of sockets) socket.destroy();
  },
  '100 half-sent logins, again when they are given up': async (client) => {
    const half =
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{';
    const sockets = new Set();
    const open = () => {
      const socket = client.connect();
      sockets.add(socket);
      socket.resume();
      socket.write(half);
      socket.on('close', () => sockets.delete(socket) && !client.over && open());
    };
    many(100, open);
    while (!client.over) await pause(50);
    for (const socket of sockets) socket.destroy();
  },
  'the API document and its page, 8 at once': (client) =>
    client.repeat(8, (n) =>
      client.ask('GET', n % 2 === 0 ? '/api/docs-json' : '/api/docs/swagger-ui-init.js', { token: '' }),
    ),
  'largest colorantComposition, then matches': async (client) => {
    const composition = unique(LARGEST_JSON);
    await Promise.all(
      many(20, () =>
        client.ask('POST', '/api/color/formulas', {
          body: { targetLab: { L: 50, a: 0, b: 0 }, colorantComposition: composition },
        }),
      ),
    );
    await client.repeat(16, () => client.ask('GET', '/api/color/formulas/match?L=50&a=0&b=0&limit=20'));
  },
  'wrong passwords, 32 at once': (client) =>
    client.repeat(32, (n) => login(client, { username: 'hostile', password: `wrong ${n}` })),
  'registrations, 32 at once': (client) =>
    client.repeat(32, () =>
      client.ask('POST', '/api/auth/register', {
        body: { username: `x${unique(12)}`, password: 'secret' },
        token: '',
      }),
    ),
  'page 10 000 000 and deep pages, 16 at once': (client) =>
    client.repeat(16, (n) =>
      client.ask('GET', `/api/formulas?limit=100&page=${n % 2 === 0 ? 10_000_000 : 190}`),
    ),
  '100 streams opened and left, in a loop': async (client) => {
    const body = JSON.stringify({ costLimit: 10, baseFormulaName: 'x' });
    const head =
      'POST /api/ai/explore-formula HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
      `Authorization: Bearer ${client.token}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    while (!client.over) {
      const sockets = many(100, () => {
        const socket = client.connect();
        socket.write(head);
        return socket;
      });
      await pause(50);
      for (const socket of sockets) socket.destroy();
    }
  },
  'malformed requests, 500 a second': async (client) => {
    const kinds = [
      '\r\n\r\n',
      'NONSENSE\r\n\r\n',
      'GET /x HTTP/1.1\r\nBad Header\r\n\r\n',
      'GET 甘 HTTP/1.1\r\n\r\n',
    ];
    for (let n = 0; !client.over; n += 1) {
      const socket = client.connect();
      socket.resume();
      socket.write(kinds[n % kinds.length]);
      await pause(2);
    }
  },
  'imports of JSON with two lists of 3,000 items, 4 at once': (client) => {
    const project = many(3000, (n) => ({ name: `Project ${n}` }));
    const versions = many(3000, (n) => ({ versionNumber: n, phases: [{ name: 'A', sortOrder: 1 }] }));
    const body = Buffer.from(JSON.stringify([{ name: 'x', project, versions }]));
    return client.repeat(4, () => importing(client, 'formulas', 'application/json', body));
  },
  'imports of JSON with six million empty objects, 4 at once': (client) => {
    const body = Buffer.from(`[${'{},'.repeat(6_000_000)}{}]`);
    return client.repeat(4, () => importing(client, 'formulas', 'application/json', body));
  },
  ...Object.fromEntries(
    Object.entries({
      'an amount that is no number': (n) => `Formula ${n % 900},Glycerin,x${n}`,
      'an unknown name': (n) => `Formula ${n % 900},Unknown ${n},1`,
    }).map(([fault, row]) => [
      `imports of 199,000 rows with ${fault}, 4 at once`,
      (client) => {
        const body = Buffer.from(['formula,INCI,%', ...many(199_000, row)].join('\n'));
        return client.repeat(4, () => importing(client, 'formulas', 'text/csv', body));
      },
    ]),
  ),
  'imports of 199,000 rows of one colour, 4 at once': (client) => {
    const body = Buffer.from(['name,L,a,b', ...many(199_000, (n) => `Red,${n % 100},1,1`)].join('\n'));
    return client.repeat(4, () => importing(client, 'colors', 'text/csv', body));
  },
  '200 creations of the most lines allowed': async (client) => {
    const bodies = many(10, () => formulaOf(client.ids.mostLines, client.ids.ingredients));
    await Promise.all(
      many(200, (n) => client.ask('POST', '/api/formulas', { body: bodies[n % bodies.length] })),
    );
  },
};

process.on('message', async ({ attack, ...job }) => {
  const client = new Client(job);
  try {
    await attacks[attack](client);
    process.send({ result: { answers: client.answers, largestError: client.largestError } });
  } catch (error) {
    process.send({ error: error.stack });
  }
});
