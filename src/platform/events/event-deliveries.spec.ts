import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import type { DeliveriesRepository, Delivery } from './deliveries.repository';
import type { DomainEvent } from './domain-event';
import { DELIVERY_TIMEOUT_MS, EventDeliveries } from './event-deliveries';
import type { EventHandlers } from './event-handlers';

const event = (id: string) => ({ id, type: 'formula.created' }) as DomainEvent;

/** Deliveries that are there once, to a handler. */
function setUp(count: number, afterCommit: (event: DomainEvent, signal: AbortSignal) => Promise<void>) {
  const due = Array.from({ length: count }, (_, n): Delivery => ({
    id: `${n}`,
    tries: 1,
    event: event(`${n}`),
  }));
  const deliveries = {
    take: jest.fn((_: string, most: number) => Promise.resolve(due.splice(0, most))),
    done: jest.fn(() => Promise.resolve()),
    failed: jest.fn(() => Promise.resolve()),
  };
  const handlers = {
    receivers: [{ name: 'hook', events: ['formula.created'], afterCommit }],
  };
  const service = new EventDeliveries(
    handlers as unknown as EventHandlers,
    deliveries as unknown as DeliveriesRepository,
  );
  return { due, deliveries, service };
}

describe('EventDeliveries', () => {
  const logs = (['warn', 'error'] as const).map((level) =>
    jest.spyOn(Logger.prototype, level).mockImplementation(),
  );
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  afterAll(() => logs.forEach((log) => log.mockRestore()));

  it('delivers what was left behind when it starts, ten at a time', async () => {
    const { deliveries, service } = setUp(25, () => Promise.resolve());
    service.onApplicationBootstrap();
    await service.delivered();
    expect(deliveries.done).toHaveBeenCalledTimes(25);
    expect(deliveries.take.mock.calls[0]).toEqual(['hook', 10]);
    expect(Math.max(...deliveries.take.mock.calls.map(([, most]) => most))).toBe(10);
    await service.beforeApplicationShutdown();
  });

  it('looks every five seconds, until the service stops', async () => {
    const { due, deliveries, service } = setUp(0, () => Promise.resolve());
    service.onApplicationBootstrap();
    await service.delivered();
    due.push({ id: 'late', tries: 1, event: event('late') });
    await jest.advanceTimersByTimeAsync(4999);
    expect(deliveries.done).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(deliveries.done).toHaveBeenCalledTimes(1);
    await service.beforeApplicationShutdown();
    const looks = deliveries.take.mock.calls.length;
    service.wake();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(deliveries.take).toHaveBeenCalledTimes(looks);
  });

  it('gives a handler no more than ten at a time, each for 30 s', async () => {
    const signals: AbortSignal[] = [];
    const { deliveries, service } = setUp(20, (_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(DELIVERY_TIMEOUT_MS - 1);
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 10 }, () => false));
    expect(deliveries.failed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(deliveries.failed).toHaveBeenCalledTimes(10);
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 20 }, (_, n) => n < 10));
    const stopped = service.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    await stopped;
  });

  it('keeps nothing waiting for an event that takes long', async () => {
    let end!: () => void;
    const { deliveries, service } = setUp(30, ({ id }) =>
      id === '3' ? new Promise<void>((resolve) => (end = resolve)) : Promise.resolve(),
    );
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1);
    expect(deliveries.done).toHaveBeenCalledTimes(29);
    end();
    await service.delivered();
    expect(deliveries.done).toHaveBeenCalledTimes(30);
    await service.beforeApplicationShutdown();
  });

  it('gives no more to a handler of whose calls a hundred have never ended, and tells it', async () => {
    const ends: (() => void)[] = [];
    const { due, service } = setUp(150, () => new Promise<void>((resolve) => ends.push(resolve)));
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(10 * DELIVERY_TIMEOUT_MS - 1);
    expect(service.stuck).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(service.stuck).toEqual(['hook']);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(ends).toHaveLength(100);
    expect(due).toHaveLength(50);
    // Where some end after all, it goes on.
    ends.slice(0, 3).forEach((end) => end());
    await jest.advanceTimersByTimeAsync(1);
    expect(service.stuck).toEqual([]);
    expect(ends).toHaveLength(103);
    const stopped = service.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    await stopped;
  });

  it('does not count a call as never ended that ends because it was given up', async () => {
    const { deliveries, service } = setUp(
      150,
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(new Error('aborted'))),
        ),
    );
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(15 * DELIVERY_TIMEOUT_MS);
    expect(deliveries.failed).toHaveBeenCalledTimes(150);
    expect(service.stuck).toEqual([]);
    await service.beforeApplicationShutdown();
  });

  it('dead-letters without a call what was started ten times and never ended', async () => {
    const called = jest.fn(() => Promise.resolve());
    const { due, deliveries, service } = setUp(1, called);
    due[0]!.tries = 11;
    const [first] = due;
    service.onApplicationBootstrap();
    await service.delivered();
    expect(called).not.toHaveBeenCalled();
    expect(deliveries.failed).toHaveBeenCalledWith(first, expect.any(Number));
    due.push({ id: 'last', tries: 10, event: event('last') });
    await service.delivered();
    expect(called).toHaveBeenCalledTimes(1);
    await service.beforeApplicationShutdown();
  });

  it('goes on where it cannot be stored what became of an event', async () => {
    const { due, deliveries, service } = setUp(1, () => Promise.resolve());
    deliveries.done.mockRejectedValueOnce(new Error('out of reach'));
    service.onApplicationBootstrap();
    await service.delivered();
    due.push({ id: 'next', tries: 1, event: event('next') });
    await service.delivered();
    expect(deliveries.done).toHaveBeenLastCalledWith(expect.objectContaining({ id: 'next' }));
    await service.beforeApplicationShutdown();
  });

  it('takes nothing more once the service stops, and calls in no context of who woke it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const ends: (() => void)[] = [];
    const seen: unknown[] = [];
    const { due, deliveries, service } = setUp(0, () => {
      seen.push(storage.getStore());
      return new Promise<void>((resolve) => ends.push(resolve));
    });
    service.onApplicationBootstrap();
    await service.delivered();
    due.push(...['a', 'b'].map((id) => ({ id, tries: 1, event: event(id) })));
    storage.run('request', () => service.wake());
    await jest.advanceTimersByTimeAsync(1);
    expect(seen).toEqual([undefined, undefined]);
    const takes = deliveries.take.mock.calls.length;
    const stopped = service.beforeApplicationShutdown();
    due.push({ id: 'c', tries: 1, event: event('c') });
    ends.forEach((end) => end());
    await stopped;
    expect(deliveries.done).toHaveBeenCalledTimes(2);
    expect(deliveries.take).toHaveBeenCalledTimes(takes);
    storage.disable();
  });

  it('misses no waking, whenever it comes', async () => {
    const { due, deliveries, service } = setUp(0, () => Promise.resolve());
    service.onApplicationBootstrap();
    await service.delivered();
    // In each of the microtasks in which a look ends.
    for (let turns = 0; turns < 10; turns++) {
      service.wake();
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      due.push({ id: `${turns}`, tries: 1, event: event(`${turns}`) });
      service.wake();
      await jest.advanceTimersByTimeAsync(1);
      expect(deliveries.done).toHaveBeenCalledTimes(turns + 1);
    }
    await service.beforeApplicationShutdown();
  });

  it('waits at its end for what is under way, five seconds at most', async () => {
    let end!: () => void;
    const { deliveries, service } = setUp(1, () => new Promise<void>((resolve) => (end = resolve)));
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1);
    const stopped = service.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(100);
    end();
    await stopped;
    expect(deliveries.done).toHaveBeenCalledTimes(1);

    const other = setUp(1, () => new Promise(() => undefined));
    other.service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(1);
    const given = other.service.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    await given;
    expect(other.deliveries.done).not.toHaveBeenCalled();
  });

  it('tries again later where the deliveries cannot be read', async () => {
    const { due, deliveries, service } = setUp(1, () => Promise.resolve());
    const [first] = due;
    deliveries.take.mockRejectedValueOnce(new Error('out of reach'));
    service.onApplicationBootstrap();
    await service.delivered();
    expect(deliveries.done).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(5000);
    expect(deliveries.done).toHaveBeenCalledWith(first);
    await service.beforeApplicationShutdown();
  });
});
