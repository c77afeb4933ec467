import { Logger } from '@nestjs/common';
import type { DeliveriesRepository, Delivery } from './deliveries.repository';
import type { DomainEvent } from './domain-event';
import { DELIVERY_PATIENCE, EventDeliveries } from './event-deliveries';
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
    expect(new Set(deliveries.take.mock.calls.map(([name, most]) => `${name} ${most}`))).toEqual(
      new Set(['hook 10']),
    );
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

  it('gives a handler that never ends no more than ten at a time, each for 30 s', async () => {
    const signals: AbortSignal[] = [];
    const { deliveries, service } = setUp(20, (_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    service.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(DELIVERY_PATIENCE - 1);
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 10 }, () => false));
    expect(deliveries.failed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual(Array.from({ length: 10 }, () => true));
    expect(deliveries.failed).toHaveBeenCalledTimes(10);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(signals).toHaveLength(10);
    const stopped = service.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(5000);
    await stopped;
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
