import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, Agent, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { AppModule } from '../../src/app.module';
import { Public } from '../../src/platform/http/route-decorators';
import { bootApp } from '../support/app';
import { createMigratedDatabase, TEST_SERVER } from '../support/databases';
import { TYPESCRIPT } from '../support/typescript';

/** A route that answers when the test says so. */
let arrived: () => void;
let finish: Promise<void>;

@Controller('ext/slow')
class SlowController {
  @Public()
  @Get()
  async answer() {
    arrived();
    await finish;
    return { data: 'complete' };
  }
}

@Module({ controllers: [SlowController] })
class SlowModule {}

function get(app: INestApplication, path: string, agent: Agent) {
  const { port } = app.getHttpServer().address() as AddressInfo;
  return new Promise<{ status?: number; headers: IncomingMessage['headers']; body: string }>(
    (resolve, reject) => {
      const request = httpRequest({ host: '127.0.0.1', port, path, agent }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
      });
      request.on('error', reject).end();
    },
  );
}

describe('Stopping the service', () => {
  let agent: Agent;
  let cut: jest.SpyInstance;
  beforeEach(() => (agent = new Agent({ keepAlive: true, maxSockets: 1 })));
  afterEach(() => {
    agent.destroy();
    // The last resort against connections that hold up the end would let every test here pass, only later.
    expect(cut).not.toHaveBeenCalled();
  });

  async function boot() {
    const service = await bootApp({
      module: { imports: [AppModule.register({ extensions: [SlowModule] })] },
    });
    cut = jest.spyOn(service.app.getHttpServer() as Server, 'closeAllConnections');
    return service;
  }

  it('answers the request in progress, then closes its kept connection', async () => {
    const service = await boot();
    const inProgress = new Promise<void>((resolve) => (arrived = resolve));
    let release!: () => void;
    finish = new Promise((resolve) => (release = resolve));

    // Idle connections would be kept for ever.
    (service.app.getHttpServer() as Server).keepAliveTimeout = 0;
    const answer = get(service.app, '/api/ext/slow', agent);
    await inProgress;
    let stopped = false;
    const stopping = service.close().then(() => (stopped = true));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(stopped).toBe(false);
    release();
    expect(await answer).toMatchObject({ status: 200, body: '{"data":"complete"}' });
    await stopping;
  });

  it('asks a client that goes on sending requests on one connection to leave', async () => {
    const service = await boot();
    let release!: () => void;
    const inProgress = new Promise<void>((resolve) => (arrived = resolve));
    finish = new Promise((resolve) => (release = resolve));
    const slow = get(service.app, '/api/ext/slow', new Agent());
    await inProgress;

    expect((await get(service.app, '/api/health', agent)).headers.connection).toBe('keep-alive');
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    // A request that is on its way when the stop begins: its connection is not idle, so it is still answered.
    const socket = connect(port, '127.0.0.1');
    const received = new Promise<string>((resolve, reject) => {
      let text = '';
      socket.setEncoding('utf8').on('data', (part: string) => (text += part));
      socket.on('end', () => resolve(text)).on('error', reject);
    });
    await new Promise<void>((resolve) => socket.write('GET /api/health HTTP/1.1\r\n', () => resolve()));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stopping = service.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.write('Host: localhost\r\n\r\n');
    expect(await received).toMatch(/^HTTP\/1.1 200 OK[\s\S]*connection: close/i);
    release();
    await slow;
    await stopping;
  });

  it('waits neither for idle connections nor for ones that never asked anything', async () => {
    const service = await boot();
    const { port } = service.app.getHttpServer().address() as AddressInfo;
    await get(service.app, '/api/health', agent);
    const silent = connect(port, '127.0.0.1');
    await new Promise((resolve) => silent.once('connect', resolve));
    const gone = new Promise((resolve) => silent.once('close', resolve));
    await service.close();
    await gone;
  });
});

describe('Stopping the service while a statement does not end', () => {
  it('ends the process after the limit, and says that it had to cut', async () => {
    const support = join(__dirname, '..', 'support');
    const directory = mkdtempSync(join(tmpdir(), 'hanging-'));
    const database = TEST_SERVER ? await createMigratedDatabase(TEST_SERVER) : undefined;
    const child = spawn(process.execPath, ['-r', TYPESCRIPT, join(support, 'hanging-service.ts')], {
      env: {
        PATH: process.env.PATH,
        PORT: '0',
        HOST: '127.0.0.1',
        STOP_TIMEOUT: '1',
        DATABASE_STATEMENT_TIMEOUT: '600',
        ...(database ? { DATABASE_URL: database.url } : { DATA_DIR: join(directory, 'data') }),
      },
    });
    try {
      let output = '';
      const ended = once(child, 'close');
      const hanging = new Promise<void>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr]) {
          stream.setEncoding('utf8').on('data', (text: string) => {
            output += text;
            if (output.includes('statement under way')) resolve();
          });
        }
        child.once('exit', () => reject(new Error(output)));
      });
      await hanging;
      child.kill('SIGTERM');
      const [code] = (await ended) as [number | null];
      expect(output).toContain('connections to clients and to the database are cut');
      // Cut off, a server's session lets the service end; the embedded database cannot be interrupted.
      expect({ code, forced: output.includes('it is ended') }).toEqual(
        TEST_SERVER ? { code: 0, forced: false } : { code: 1, forced: true },
      );
    } finally {
      child.kill('SIGKILL');
      rmSync(directory, { recursive: true, force: true });
      await database?.drop();
    }
  }, 120_000);
});
