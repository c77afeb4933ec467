import type { DeliveriesRepository } from './deliveries.repository';
import type { EventDeliveries } from './event-deliveries';
import type { EventHandlers } from './event-handlers';
import { ParkedEventsIndicator } from './parked-events.indicator';

describe('ParkedEventsIndicator', () => {
  const haveParked = jest.fn((names: readonly string[]) => Promise.resolve(names.includes('parked')));
  const indicator = (name: string, stuck: string[] = []) =>
    new ParkedEventsIndicator(
      { receivers: [{ name }] } as unknown as EventHandlers,
      { haveParked } as unknown as DeliveriesRepository,
      { stuck } as unknown as EventDeliveries,
    );

  it('is up where events are delivered', async () => {
    await expect(indicator('hook').check()).resolves.toBeUndefined();
  });

  it('tells events that are parked, and handlers that get none any more', async () => {
    await expect(indicator('parked').check()).rejects.toThrow('parked');
    await expect(indicator('hook', ['hook']).check()).rejects.toThrow(
      'Too many calls have never ended: hook',
    );
  });
});
