import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { CommandIdentity } from '../../../src/database/embedded/commands/command-identity';
import { proofOf } from '../../../src/database/embedded/commands/command-identity';
import { CommandSocket } from '../../../src/database/embedded/commands/command-socket';
import { copyIn } from '../../../src/database/embedded/commands/directory-copies';
import { contentOf, FrameReader, frameOf } from '../../../src/database/embedded/commands/frames';
import { COMMAND_SAYS, SERVICE_SAYS } from '../../../src/database/embedded/commands/letters';
import { CommandRefusedError, RunningService } from '../../../src/database/embedded/commands/running-service';
import { DirectoryCopies } from '../../../src/database/embedded/directory-copy';
import { EmbeddedPostgres } from '../../../src/database/embedded/embedded-postgres';
import { serialize } from 'pg-protocol';

jest.setTimeout(120_000);

const IDENTITY: CommandIdentity = { version: '1.2.3', secretsKey: Buffer.from('a key') };

/** Windows has no such socket. */
(process.platform === 'win32' ? describe.skip : describe)('The socket for commands', () => {
  let folder: string;
  let dataDir: string;
  let embedded: EmbeddedPostgres;
  let socket: CommandSocket;
  let own: Pool;
  const warnings: string[] = [];
  const pools: Pool[] = [];
  const path = () => join(dataDir, 'commands.sock');

  const listen = async (transactionMs = 10_000) => {
    const warn = (text: string) => void warnings.push(text);
    socket = await CommandSocket.open(embedded, { dataDir, identity: IDENTITY, warn, transactionMs });
  };
  const open = async (name: string) => {
    dataDir = join(folder, name);
    embedded = await EmbeddedPostgres.open({ dataDir });
    own = new embedded.driver.Pool({ max: 2 });
    own.on('error', () => undefined);
    await own.query('CREATE TABLE IF NOT EXISTS written (n int)');
  };
  const find = async (identity = IDENTITY) => {
    const told: string[] = [];
    const running = await RunningService.find(dataDir, identity, (text) => void told.push(text));
    return { running: running!, told };
  };
  const commandPool = async (max = 2) => {
    const { running, told } = await find();
    const pool = new running.driver.Pool({ max });
    pool.on('error', () => undefined);
    pools.push(pool);
    return { pool, told };
  };
  const count = async (pool = own) =>
    Number(
      (await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM written')).rows[0]!.count,
    );

  const close = async () => {
    await own.end();
    await embedded.close();
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'commands-'));
    await open('data');
  });
  beforeEach(async () => {
    warnings.length = 0;
    await own.query('DELETE FROM written');
    await listen();
  });
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.end();
    socket.close();
  });
  afterAll(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is its owner’s, and leads to the same database, with clients that do not meet', async () => {
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    const { pool } = await commandPool();
    const write = async (from: Pool, n: number) => {
      const client = await from.connect();
      await client.query('BEGIN');
      await client.query({ name: 'write', text: 'INSERT INTO written VALUES ($1)', values: [n] });
      await client.query(n % 2 === 0 ? 'COMMIT' : 'ROLLBACK');
      client.release();
    };
    await Promise.all(Array.from({ length: 100 }, (_, n) => write(n % 3 === 0 ? pool : own, n)));
    expect(await count(pool)).toBe(50);
    expect(await count()).toBe(50);
    const large = 'x'.repeat(3_000_000);
    expect((await pool.query('SELECT $1::text AS t', [large])).rows).toEqual([{ t: large }]);
    await expect(pool.query('SELECT no_such_column')).rejects.toMatchObject({ code: '42703' });
  });

  it('replaces one that a killed service has left, which no command takes for a service', async () => {
    socket.close();
    const code = `require('net').createServer().listen(${JSON.stringify(path())}, () => console.log('listens'))`;
    const child = spawn(process.execPath, ['-e', `process.umask(0o177);${code}`]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'close');
    expect(existsSync(path())).toBe(true);
    expect((await find()).running).toBeUndefined();
    socket = await CommandSocket.open(embedded, { dataDir, identity: IDENTITY, warn: () => undefined });
    expect(await count((await commandPool()).pool)).toBe(0);
  });

  it.each([
    ['another version', { ...IDENTITY, version: '1.2.4' }, 'the running service is version 1.2.3'],
    ['other secrets', { ...IDENTITY, secretsKey: Buffer.from('b') }, 'the secrets of its settings'],
  ])('refuses a command of %s', async (_, identity, reason) => {
    const { running } = await find(identity);
    const pool = new running.driver.Pool();
    const refused = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandRefusedError);
    expect((refused as Error).message).toContain(reason);
    await pool.end();
  });

  it('undoes a transaction that holds everybody up for too long, and says so on both sides', async () => {
    socket.close();
    await listen(300);
    const { pool, told } = await commandPool();
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query('INSERT INTO written VALUES (1)');
    expect(await count()).toBe(0);
    await expect(client.query('COMMIT')).rejects.toThrow();
    client.release(true);
    expect(told).toEqual([expect.stringContaining('has undone this command')]);
    expect(warnings).toEqual([expect.stringContaining('transaction was undone')]);
    // A command that goes on for long in short transactions is let be.
    for (let n = 0; n < 8; n += 1) {
      await pool.query('INSERT INTO written VALUES (1)');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await count()).toBe(8);
  });

  it('rolls back what a command had open that was cut off, at once', async () => {
    const enter = embedded.enter.bind(embedded);
    const left = jest.fn();
    jest.spyOn(embedded, 'enter').mockImplementationOnce(async (connection) => {
      const link = await enter(connection);
      const leave = (statements: string[]) => {
        left();
        link.leave(statements);
      };
      return { ...link, leave };
    });
    const { pool } = await commandPool();
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query('INSERT INTO written VALUES (1)');
    const counting = count();
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    expect(await counting).toBe(0);
    // Else it would be idle until somebody minds.
    expect(left).toHaveBeenCalledTimes(1);
    client.release(true);
  });

  describe('whatever comes on it', () => {
    const raw: Socket[] = [];
    afterEach(() => raw.splice(0).forEach((one) => one.destroy()));

    /** A connection that has been let in, or has only connected. */
    const connected = async (isGreeted: boolean) => {
      const one = connect(path());
      raw.push(one);
      one.on('error', () => undefined);
      const closed = new Promise((resolve) => one.once('close', resolve));
      const frames = new FrameReader(1_000_000);
      let client = 0;
      await new Promise<void>((resolve) => {
        one.once('close', () => resolve());
        one.on('data', (bytes) =>
          frames.read(bytes, ({ letter, body }) => {
            if (letter === SERVICE_SAYS.nonce && !isGreeted) resolve();
            else if (letter === SERVICE_SAYS.nonce) {
              const proof = proofOf(IDENTITY, String(contentOf(body).nonce));
              say(one, COMMAND_SAYS.hello, { version: '1.2.3', wants: 'session', proof });
            } else if (letter === SERVICE_SAYS.welcome) {
              client = Number(contentOf(body).client);
              resolve();
            }
          }),
        );
      });
      return { one, closed, client };
    };
    const say = (one: Socket, letter: string, body?: Uint8Array | object) => {
      for (const part of frameOf(letter, body)) one.write(part);
    };
    const query = serialize.query('SELECT 1');

    it.each<[string, boolean, (one: Socket) => void]>([
      ['no frame at all', false, (one) => one.write('GET / HTTP/1.1\r\n\r\n')],
      ['a greeting that is no JSON', false, (one) => say(one, COMMAND_SAYS.hello, Buffer.from('{'))],
      ['a greeting of null', false, (one) => say(one, COMMAND_SAYS.hello, Buffer.from('null'))],
      ['a greeting without a proof', false, (one) => say(one, COMMAND_SAYS.hello, { version: '1.2.3' })],
      ['a query before the greeting', false, (one) => say(one, COMMAND_SAYS.run, query)],
      ['a frame without bounds', true, (one) => one.write(Buffer.from([255, 255, 255, 255, 114]))],
      ['an unknown letter', true, (one) => say(one, '?', query)],
      ['no message', true, (one) => say(one, COMMAND_SAYS.run, Buffer.from('rubbish, more rubbish'))],
      ['an empty group', true, (one) => say(one, COMMAND_SAYS.run)],
      ['a cut message', true, (one) => say(one, COMMAND_SAYS.run, query.subarray(0, -1))],
      ['two queries', true, (one) => say(one, COMMAND_SAYS.run, Buffer.concat([query, query]))],
      ['the end of the session', true, (one) => say(one, COMMAND_SAYS.run, serialize.end())],
      ['no end', true, (one) => say(one, COMMAND_SAYS.run, serialize.parse({ text: 'SELECT 1' }))],
      [
        'a statement of another client',
        true,
        (one) =>
          say(
            one,
            COMMAND_SAYS.run,
            Buffer.concat([serialize.parse({ name: 's1_1', text: 'SELECT 1' }), serialize.sync()]),
          ),
      ],
      [
        'far too much at once',
        true,
        (one) => {
          for (let n = 0; n < 1000; n += 1) say(one, COMMAND_SAYS.run, query);
        },
      ],
    ])('%s ends it alone', async (_, isGreeted, spoil) => {
      const { pool } = await commandPool();
      await pool.query({ name: 'count', text: 'SELECT count(*) FROM written' });
      const { one, closed } = await connected(isGreeted);
      spoil(one);
      await closed;
      await own.query('INSERT INTO written VALUES (1)');
      expect(await count(pool)).toBe(1);
    });

    it('there are not more connections than enough', async () => {
      const all = await Promise.all(Array.from({ length: 40 }, () => connected(false)));
      await Promise.race(all.map(({ closed }) => closed));
      const left = all.filter(({ one }) => !one.destroyed);
      expect(left.length).toBeLessThanOrEqual(32);
      raw.forEach((one) => one.destroy());
      expect(await count((await commandPool()).pool)).toBe(0);
    });

    it('who never says who it is is cut off', async () => {
      const { closed } = await connected(false);
      await closed;
    });
  });

  it('gives a copy as the database is at one moment, which opens as a directory, and removes it', async () => {
    for (let n = 0; n < 100; n += 1) await own.query('INSERT INTO written VALUES ($1)', [n]);
    const { running } = await find();
    const copy = await running.copy();
    expect(statSync(copy.directory).mode & 0o777).toBe(0o700);
    await own.query('INSERT INTO written VALUES (100)');
    await expect((await find()).running.copy()).rejects.toThrow('another command has a copy');
    const copied = await EmbeddedPostgres.open({ dataDir: copy.directory });
    const pool = new copied.driver.Pool({ max: 1 });
    expect(await count(pool)).toBe(100);
    await pool.query('DELETE FROM written');
    await pool.end();
    await copied.close();
    await copy.release();
    expect(await count()).toBe(101);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('.command-copy-'))).toEqual([]);
    await (await (await find()).running.copy()).release();
  });

  it('waits for a transaction before it copies', async () => {
    const client = await own.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO written VALUES (1)');
    const copying = (await find()).running.copy();
    await client.query('COMMIT');
    client.release();
    const copy = await copying;
    const copied = await EmbeddedPostgres.open({ dataDir: copy.directory });
    const pool = new copied.driver.Pool({ max: 1 });
    expect(await count(pool)).toBe(1);
    await pool.end();
    await copied.close();
    await copy.release();
  });

  it('gives a copy that has what was written while most of it was copied', async () => {
    const copies = new DirectoryCopies();
    jest.spyOn(DirectoryCopies.prototype, 'begin').mockImplementationOnce(async (places) => {
      const seen = await copies.begin(places);
      await own.query(`INSERT INTO written SELECT generate_series(1, 3000); CREATE TABLE newer (n int)`);
      return seen;
    });
    const copy = await (await find()).running.copy();
    await own.query('DROP TABLE newer');
    const copied = await EmbeddedPostgres.open({ dataDir: copy.directory });
    const pool = new copied.driver.Pool({ max: 1 });
    expect(await count(pool)).toBe(3000);
    expect((await pool.query('SELECT FROM newer')).rowCount).toBe(0);
    await pool.end();
    await copied.close();
    await copy.release();
  });

  it('removes copies that were left by what was killed, none that is open', async () => {
    socket.close();
    const copies = [randomUUID(), randomUUID()].map((id) => join(dataDir, `.command-copy-${id}`));
    const [left, open] = copies as [string, string];
    const somebodys = ['copy-before-upgrade', `copy-${randomUUID()}`, '.command-copy-mine'];
    for (const name of [left, ...somebodys.map((own) => join(dataDir, own))]) mkdirSync(name);
    writeFileSync(join(left, 'x'), '');
    const copied = await EmbeddedPostgres.open({ dataDir: open });
    socket = await CommandSocket.open(embedded, { dataDir, identity: IDENTITY, warn: () => undefined });
    while (existsSync(left)) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(existsSync(open)).toBe(true);
    for (const name of somebodys) expect(existsSync(join(dataDir, name))).toBe(true);
    await copied.close();
  });

  it('a copy is what lies in the data directory of the command, and nothing else that it is told of', () => {
    const name = `.command-copy-${randomUUID()}`;
    const elsewhere = join(tmpdir(), name);
    for (const called of [elsewhere, join(dataDir, 'pgdata'), dataDir, '/', '..', '']) {
      expect(() => copyIn(dataDir, called)).toThrow('The copy that the service has made is not in');
    }
    symlinkSync(tmpdir(), join(dataDir, name));
    expect(() => copyIn(dataDir, elsewhere)).toThrow('is not in');
    rmSync(join(dataDir, name));
    mkdirSync(join(dataDir, name));
    expect(copyIn(dataDir, elsewhere)).toBe(join(dataDir, name));
  });

  it('makes another copy when one could not be made', async () => {
    const copyTo = jest.spyOn(embedded, 'copyTo').mockRejectedValueOnce(new Error('no room'));
    await expect((await find()).running.copy()).rejects.toThrow('no room');
    copyTo.mockRestore();
    await (await (await find()).running.copy()).release();
  });

  it('is not made where every user may put another in its place', async () => {
    socket.close();
    chmodSync(dataDir, 0o777);
    await expect(listen()).rejects.toThrow('every user of this machine may write');
    chmodSync(dataDir, 0o700);
    await listen();
  });

  it('of a directory with a long path works as well', async () => {
    socket.close();
    await close();
    await open(`${'long'.repeat(30)}/data`);
    await listen();
    expect(existsSync(path())).toBe(process.platform === 'linux');
    const { pool } = await commandPool();
    expect(await count(pool)).toBe(0);
    socket.close();
    expect(existsSync(path())).toBe(false);
  });

  it('lets nobody wait when the service goes away', async () => {
    const { pool } = await commandPool();
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN');
    socket.close();
    const closing = embedded.close();
    await expect(client.query('SELECT 1').then(() => client.query('SELECT 1'))).rejects.toThrow();
    client.release(true);
    await closing;
    await expect(pool.query('SELECT 1')).rejects.toThrow();
  });
});
