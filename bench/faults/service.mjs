import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './programs.mjs';

const ENTRY = fileURLToPath(new URL('under-test.cjs', import.meta.url));

/** A request without an answer by then counts as one that is never answered. */
const GIVEN_UP_MS = 60_000;

/** A running service, its output, and requests to it. */
export class Service {
  output = '';
  agents = new Map();

  /**
   * Resolves when its health answers, or it has ended without.
   * @param {string} dist directory of a build
   * @param {Record<string, string>} settings all others have their defaults, but the rate limit
   */
  static async start(dist, settings) {
    const service = new Service();
    service.port = await freePort();
    service.began = performance.now();
    service.child = fork(ENTRY, [dist], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        HOST: '127.0.0.1',
        PORT: String(service.port),
        JWT_SECRET: 'bench-secret-of-no-consequence-32-bytes',
        THROTTLE_LIMIT: '10000000',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [service.child.stdout, service.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (service.output += text));
    }
    service.ended = once(service.child, 'close');
    while (service.isRunning && (await service.ask('GET', '/health')).status !== 200) await pause(50);
    if (!service.isRunning) await service.ended;
    service.startMs = performance.now() - service.began;
    return service;
  }

  get isRunning() {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** @returns {Promise<{ status: number, body: any, ms: number }>} status 0 for no answer */
  ask(method, path, { token, body, address = '127.0.0.1', signal } = {}) {
    const payload = body && JSON.stringify(body);
    const began = performance.now();
    if (!this.agents.has(address)) this.agents.set(address, new http.Agent({ keepAlive: true }));
    return new Promise((resolve) => {
      const end = (status, text) => {
        clearTimeout(patience);
        let parsed;
        try {
          parsed = JSON.parse(text);
        } catch {
          // No answer, or a stream.
        }
        resolve({ status, body: parsed, ms: performance.now() - began });
      };
      const request = http.request(
        {
          host: '127.0.0.1',
          port: this.port,
          localAddress: address,
          agent: this.agents.get(address),
          method,
          path: `/api${path}`,
          signal,
          headers: {
            ...(token && { Authorization: `Bearer ${token}` }),
            ...(payload && { 'Content-Type': 'application/json' }),
          },
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => (text += part));
          response.on('end', () => end(response.statusCode, text)).on('error', () => end(0, ''));
        },
      );
      const patience = setTimeout(() => request.destroy(), GIVEN_UP_MS);
      request.on('error', () => end(0, '')).end(payload);
    });
  }

  /** Accounts, each with an address of its own. */
  async register(count) {
    const users = [];
    for (let n = 1; n <= count; n += 1) {
      const username = `user-${n}-${Math.floor(performance.now())}`;
      const { body } = await this.ask('POST', '/auth/register', { body: { username, password: 'secret' } });
      users.push({ token: body.data.token, address: `127.0.3.${n}` });
    }
    return users;
  }

  /** Asks it to stop. @returns seconds until it has ended, and whether it had to be killed after a minute */
  async stop() {
    const began = performance.now();
    this.child.kill('SIGTERM');
    const ended = await Promise.race([this.ended, pause(60_000)]);
    const seconds = (performance.now() - began) / 1000;
    await this.kill();
    return { seconds, isAlive: ended === undefined, code: this.child.exitCode };
  }

  async kill() {
    for (const agent of this.agents.values()) agent.destroy();
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Lines of the log that have this in them, without what the log puts before its messages. */
  lines(pattern) {
    return this.output.split('\n').filter((line) => pattern.test(line));
  }
}
