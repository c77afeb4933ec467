import type { INestApplicationContext } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { openForStart, startOrClose } from './start-or-close';

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('startOrClose', () => {
  const events: string[] = [];
  beforeEach(() => (events.length = 0));

  const application = (close = () => Promise.resolve()) => {
    const noted = () => {
      events.push('application closed');
      return close();
    };
    return { close: noted } as unknown as INestApplicationContext;
  };
  const open = async () => {
    await turn();
    events.push('opened');
    return { destroy: () => Promise.resolve(events.push('database closed')) } as unknown as DataSource;
  };
  const fail = (what: string) => Promise.reject(new Error(what));
  const make = async (app = application()) => {
    await openForStart(open);
    return app;
  };

  it('gives the application that has started, open', async () => {
    const app = application();
    const start = jest.fn(() => Promise.resolve());
    expect(await startOrClose(() => make(app), start)).toBe(app);
    expect(start.mock.calls).toEqual([[app]]);
    expect(events).toEqual(['opened']);
  });

  it('closes the database of one that fails while it is made', async () => {
    const failing = startOrClose(async () => {
      await make();
      return fail('half-way');
    }, turn);
    await expect(failing).rejects.toThrow('half-way');
    expect(events).toEqual(['opened', 'database closed']);
  });

  it('closes one that is still being opened', async () => {
    const failing = startOrClose(async () => {
      void make();
      await Promise.resolve();
      return fail('at once');
    }, turn);
    await expect(failing).rejects.toThrow('at once');
    expect(events).toEqual(['opened', 'database closed']);
  });

  it('opens none for one that has failed before', async () => {
    let late: Promise<unknown> | undefined;
    const failing = startOrClose(() => {
      late = turn().then(() => make());
      late.catch(() => undefined);
      return fail('early');
    }, turn);
    await expect(failing).rejects.toThrow('early');
    await expect(late).rejects.toThrow('The database is not opened: the application has failed to start');
    expect(events).toEqual([]);
  });

  it('closes one that does not start, and tells why it did not', async () => {
    const app = application(() => fail('the end fails, too'));
    const failing = startOrClose(
      () => make(app),
      () => fail('taken'),
    );
    await expect(failing).rejects.toThrow('taken');
    expect(events).toEqual(['opened', 'application closed', 'database closed']);
  });

  it('tells why one does not start though it never closes, nor its database opens, and keeps its process', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const timers = jest.spyOn(global, 'setTimeout');
    const never = new Promise<never>(() => undefined);
    const told = jest.fn();
    const failing = startOrClose(
      async () => {
        void openForStart(() => never);
        return Promise.resolve(application(() => never));
      },
      () => fail('taken'),
    );
    failing.catch((error: Error) => told(error.message));
    await jest.advanceTimersByTimeAsync(19_999);
    expect(told).not.toHaveBeenCalled();
    expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([true, true]);
    await jest.advanceTimersByTimeAsync(1);
    expect(told.mock.calls).toEqual([['taken']]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    timers.mockRestore();
  });

  it('is told why the database cannot be opened', async () => {
    const failing = startOrClose(async () => {
      await openForStart(() => fail('no server'));
      return application();
    }, turn);
    await expect(failing).rejects.toThrow('no server');
  });

  it('leaves databases to others that are opened outside of it', async () => {
    await openForStart(open);
    await expect(startOrClose(() => fail('x'), turn)).rejects.toThrow('x');
    expect(events).toEqual(['opened']);
  });
});
