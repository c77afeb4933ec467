import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unhurried } from '../unhurried';
import type { ClientConnection } from './client-connection';
import { DatabaseThread, type Death, type ThreadEvent, type ThreadSettings } from './database-thread';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres';
import {
  EmbeddedDatabaseClosedError,
  EmbeddedDatabaseCrashedError,
  EmbeddedDatabaseInUseError,
} from './errors';
import { defaultTemplateFile } from './template-file';

jest.mock('./database-thread');

/** What the test has for a thread. */
interface PlayedThread {
  settings: ThreadSettings;
  say(event: ThreadEvent): void;
  die(death: Death): void;
  post: jest.Mock;
  kill: jest.Mock;
  close: jest.Mock;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('EmbeddedPostgres', () => {
  let directory: string;
  let threads: PlayedThread[];
  let opened: EmbeddedPostgres[];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'embedded-'));
    threads = [];
    opened = [];
    (DatabaseThread.start as jest.Mock).mockImplementation(
      (settings: ThreadSettings, say: (event: ThreadEvent) => void) => {
        let die!: (death: Death) => void;
        const ended = new Promise<Death>((resolve) => (die = resolve));
        const close = jest.fn(() => {
          die({ reason: 'closed' });
          return Promise.resolve();
        });
        const thread = { settings, say, die, post: jest.fn(), kill: jest.fn(), close, ended };
        threads.push(thread);
        return Promise.resolve(thread);
      },
    );
  });
  afterEach(async () => {
    await Promise.all(opened.map((embedded) => embedded.close()));
    jest.useRealTimers();
    rmSync(directory, { recursive: true, force: true });
  });

  async function open(options: EmbeddedPostgresOptions = {}) {
    const embedded = await EmbeddedPostgres.open(options);
    opened.push(embedded);
    return { embedded, thread: threads.at(-1)! };
  }

  async function connect(embedded: EmbeddedPostgres) {
    const client = new embedded.driver.Client();
    const errors: unknown[] = [];
    client.on('error', (error) => errors.push(error));
    await client.connect();
    return { client, errors, connection: (client as unknown as { connection: ClientConnection }).connection };
  }

  it('starts its thread with what it was told, and with a template unless that is not wanted', async () => {
    await open();
    await open({ templateFile: null });
    const times = { idleInTransactionMs: 7, upkeepIntervalMs: 8 };
    await open({ dataDir: directory, templateFile: 'file', ...times });
    expect(threads.map(({ settings }) => settings)).toMatchObject([
      { dataDir: undefined, templateFile: defaultTemplateFile() },
      { templateFile: null },
      { dataDir: join(directory, 'pgdata'), templateFile: 'file', ...times },
    ]);
  });

  it('frees its directory when it is closed or has not started, not before', async () => {
    const { embedded } = await open({ dataDir: directory });
    await expect(EmbeddedPostgres.open({ dataDir: directory })).rejects.toThrow(EmbeddedDatabaseInUseError);
    await embedded.close();
    const error = new Error('no');
    (DatabaseThread.start as jest.Mock).mockRejectedValueOnce(error);
    await expect(EmbeddedPostgres.open({ dataDir: directory })).rejects.toBe(error);
    await open({ dataDir: directory });
    expect(existsSync(join(directory, 'lock'))).toBe(true);
  });

  it('holds its directory until its thread has ended', async () => {
    const { embedded, thread } = await open({ dataDir: directory });
    let end!: () => void;
    thread.close.mockReturnValue(new Promise<void>((resolve) => (end = resolve)));
    const closing = embedded.close();
    await settled();
    await expect(EmbeddedPostgres.open({ dataDir: directory })).rejects.toThrow(EmbeddedDatabaseInUseError);
    end();
    await closing;
    await open({ dataDir: directory });
  });

  it('gives a statement that runs ten seconds to end when it closes, and closes once', async () => {
    const { embedded, thread } = await open();
    await Promise.all([embedded.close(), embedded.close()]);
    expect(thread.close.mock.calls).toEqual([[10_000]]);
  });

  it('hands on what its clients ask, each query under the next number, and what they are answered', async () => {
    const { embedded, thread } = await open();
    const [one, two] = [await connect(embedded), await connect(embedded)];
    const asked = (type: string) =>
      thread.post.mock.calls
        .map(([request]) => request as { type: string })
        .filter((request) => request.type === type);
    void one.client.query('select 1').catch(() => undefined);
    void two.client.query('select 2').catch(() => undefined);
    expect(asked('run')).toMatchObject([
      { client: one.connection.id, id: 1, partial: false },
      { client: two.connection.id, id: 2, partial: false },
    ]);
    const received = jest.spyOn(two.connection, 'receive').mockImplementation();
    const bytes = new Uint8Array(1);
    thread.say({ type: 'answer', client: two.connection.id, bytes });
    expect(received.mock.calls).toEqual([[bytes]]);
    const cancelled = jest.spyOn(one.connection, 'cancelled').mockImplementation();
    thread.say({ type: 'cancelled', client: one.connection.id });
    expect(cancelled).toHaveBeenCalledTimes(1);

    one.connection.cancel(two.connection.id);
    expect(asked('cancel')).toEqual([{ type: 'cancel', client: two.connection.id }]);
    one.connection.stream.destroy();
    expect(asked('leave')).toEqual([{ type: 'leave', client: one.connection.id, statements: [] }]);
    // Nobody is there any more.
    received.mockClear();
    for (const type of ['answer', 'cancelled'] as const)
      thread.say({ type, client: one.connection.id, bytes });
    expect(received).not.toHaveBeenCalled();
  });

  it('begins anew to number queries before there is no room for the number', async () => {
    const { embedded, thread } = await open();
    const { client } = await connect(embedded);
    Object.assign(embedded, { lastGroup: 2 ** 31 - 2 });
    for (const text of ['a', 'b']) {
      void client.query(text).catch(() => undefined);
      thread.say({
        type: 'answer',
        client: 1,
        bytes: new Uint8Array([67, 0, 0, 0, 5, 0, 90, 0, 0, 0, 5, 73]),
      });
    }
    await settled();
    expect(thread.post.mock.calls.map(([request]) => (request as { id: number }).id)).toEqual([
      2 ** 31 - 1,
      1,
    ]);
  });

  it('tells what the thread says, and a client that was idle what it did', async () => {
    const told: string[] = [];
    const note = (kind: string) => (text: string) => void told.push(`${kind}: ${text}`);
    const { embedded, thread } = await open({ onProgress: note('progress'), onWarning: note('warning') });
    const { connection, errors } = await connect(embedded);
    thread.say({ type: 'progress', text: 'made' });
    thread.say({ type: 'warning', text: 'slow' });
    thread.say({ type: 'idle', client: connection.id, waiting: 3, ms: 20_499 });
    await settled();
    const message = 'terminating connection: idle in a transaction for 20 s while others waited';
    const hint =
      'The embedded database has one session. Code inside a transaction must not wait for another connection.';
    expect(told).toEqual(['progress: made', 'warning: slow', `warning: ${message} (3 waiting). ${hint}`]);
    expect(errors[0]).toMatchObject({ code: '25P03', severity: 'FATAL', message, hint });
  });

  it('tells its clients when it closes', async () => {
    const { embedded, thread } = await open();
    const { errors } = await connect(embedded);
    thread.say({ type: 'closing' });
    await settled();
    expect(errors[0]).toMatchObject({ code: '57P01', message: 'the embedded database is closing' });
  });

  describe('A template', () => {
    it('is saved, or it is said why not', async () => {
      const { embedded, thread } = await open();
      const saved = ['a', 'b'].map((file) => embedded.saveTemplate(file));
      const outcomes = Promise.allSettled(saved);
      await settled();
      const [one, two] = thread.post.mock.calls.map(([request]) => request as { id: number; file: string });
      expect([one, two]).toMatchObject([
        { type: 'save', file: 'a' },
        { type: 'save', file: 'b' },
      ]);
      thread.say({ type: 'saved', id: two!.id, reason: 'no space' });
      thread.say({ type: 'saved', id: one!.id });
      thread.say({ type: 'saved', id: one!.id, reason: 'again' });
      expect(await outcomes).toMatchObject([
        { status: 'fulfilled' },
        { status: 'rejected', reason: { message: 'no space' } },
      ]);
      // Nothing is kept of either.
      expect(embedded).toMatchObject({ saving: new Map() });
    });

    it.each([
      [
        'dies',
        EmbeddedDatabaseCrashedError,
        (_: EmbeddedPostgres, thread: PlayedThread) => thread.die({ reason: 'x' }),
      ],
      ['is closed', EmbeddedDatabaseClosedError, (embedded: EmbeddedPostgres) => void embedded.close()],
    ])('that is waited for when the database %s is none', async (_, error, end) => {
      const { embedded, thread } = await open();
      const saved = expect(embedded.saveTemplate('a')).rejects.toThrow(error);
      await settled();
      end(embedded, thread);
      await saved;
    });
  });

  describe('When the thread dies', () => {
    it('says so once, tells its clients, and starts another for the next, with a clean note', async () => {
      const onCrash = jest.fn();
      const { embedded, thread } = await open({ dataDir: directory, onCrash });
      const { errors } = await connect(embedded);
      thread.settings.running.fill(7);
      thread.die({ reason: 'a trap', log: ['PANIC'] });
      await settled();
      expect(onCrash.mock.calls).toEqual([[expect.any(EmbeddedDatabaseCrashedError)]]);
      expect(onCrash.mock.calls[0]).toMatchObject([
        { log: ['PANIC'], message: expect.stringContaining('a trap') },
      ]);
      expect(errors[0]).toBe((onCrash.mock.calls as unknown[][])[0]![0]);
      // There is nobody to whom a client could say that it leaves.
      expect(thread.post).not.toHaveBeenCalled();
      expect(threads).toHaveLength(1);
      await Promise.all([connect(embedded), connect(embedded)]);
      expect(threads).toHaveLength(2);
      expect([...threads[1]!.settings.running]).toEqual([0, 0]);
    });

    it('and the next is being started, a close waits for that one and closes it', async () => {
      const { embedded, thread } = await open({ dataDir: directory });
      thread.die({ reason: 'a trap' });
      await settled();
      const begin = (DatabaseThread.start as jest.Mock).getMockImplementation()!;
      let release!: () => void;
      const gate = new Promise<void>((resolve) => (release = resolve));
      (DatabaseThread.start as jest.Mock).mockImplementationOnce(async (...given: unknown[]) => {
        await gate;
        return begin(...given) as unknown;
      });
      const refused = expect(connect(embedded)).rejects.toThrow(EmbeddedDatabaseClosedError);
      const closing = embedded.close();
      release();
      await Promise.all([refused, closing]);
      expect(threads[1]!.close).toHaveBeenCalledTimes(1);
    });

    it('in memory all is lost: it stays so', async () => {
      const { embedded, thread } = await open();
      thread.die({ reason: 'a trap' });
      await settled();
      await expect(connect(embedded)).rejects.toThrow(EmbeddedDatabaseCrashedError);
      expect(threads).toHaveLength(1);
    });

    it('three times in short, it is left alone', async () => {
      const { embedded } = await open({ dataDir: directory });
      for (let death = 1; death <= 3; death += 1) {
        await connect(embedded);
        threads.at(-1)!.die({ reason: `death ${death}` });
        await settled();
      }
      await expect(connect(embedded)).rejects.toThrow('death 3');
      expect(threads).toHaveLength(3);
    });

    it('and does not start again, is left alone likewise', async () => {
      const { embedded, thread } = await open({ dataDir: directory });
      thread.die({ reason: 'a trap' });
      await settled();
      const error = new Error('no');
      (DatabaseThread.start as jest.Mock).mockRejectedValueOnce(error).mockRejectedValueOnce(error);
      for (let attempt = 1; attempt <= 2; attempt += 1) await expect(connect(embedded)).rejects.toBe(error);
      await expect(connect(embedded)).rejects.toThrow('a trap');
      expect(threads).toHaveLength(1);
    });

    it('after it was closed, it is closed and nothing has crashed', async () => {
      const onCrash = jest.fn();
      const { embedded } = await open({ dataDir: directory, onCrash });
      const { errors } = await connect(embedded);
      await embedded.close();
      await settled();
      expect(onCrash).not.toHaveBeenCalled();
      expect(errors[0]).toBeInstanceOf(EmbeddedDatabaseClosedError);
      await expect(connect(embedded)).rejects.toThrow(EmbeddedDatabaseClosedError);
    });
  });

  describe('A statement that runs for too long', () => {
    const onWarning = jest.fn();
    beforeEach(() => onWarning.mockClear());

    async function watched(options: EmbeddedPostgresOptions, seconds?: number) {
      const { embedded, thread } = await open({ onWarning, ...options });
      const { connection } = await connect(embedded);
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
      embedded.limitStatements(seconds);
      thread.settings.running[0] = 7;
      thread.settings.running[1] = connection.id;
      return { embedded, thread, connection };
    }

    it('ends the thread after thirty seconds, and says so', async () => {
      const { thread } = await watched({ dataDir: directory });
      jest.advanceTimersByTime(30_000);
      expect(thread.kill).not.toHaveBeenCalled();
      jest.advanceTimersByTime(1000);
      expect(thread.kill).toHaveBeenCalledTimes(1);
      expect(onWarning.mock.calls).toEqual([
        ['A statement has run for 30 s: the embedded database is started again'],
      ]);
    });

    it.each([
      ['of an import', (connection: ClientConnection) => unhurried.add(connection), { isInMemory: false }],
      ['in memory, which would be lost', () => undefined, { isInMemory: true }],
    ])('is left alone: one %s', async (_, exempt, { isInMemory }) => {
      const { thread, connection } = await watched(isInMemory ? {} : { dataDir: directory }, 2);
      exempt(connection);
      jest.advanceTimersByTime(10_000);
      expect(thread.kill).not.toHaveBeenCalled();
    });

    it('is watched once, until the database is closed', async () => {
      const { embedded, thread } = await watched({ dataDir: directory }, 2);
      embedded.limitStatements(1);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(2000);
      expect(thread.kill).not.toHaveBeenCalled();
      await embedded.close();
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
