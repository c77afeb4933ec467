import type { DeliveriesRepository } from './deliveries.repository';
import type { EventDeliveries } from './event-deliveries';
import type { EventHandlers } from './event-handlers';
import { DeadLettersIndicator } from './events.metrics';

describe('DeadLettersIndicator', () => {
  const counts = jest.fn((names: readonly string[]) =>
    Promise.resolve({ waiting: 0, deadLettered: names.includes('failing') ? 1 : 0 }),
  );
  const indicator = (name: string, stuck: string[] = []) =>
    new DeadLettersIndicator(
      { receivers: [{ name }] } as unknown as EventHandlers,
      { counts } as unknown as DeliveriesRepository,
      { stuck } as unknown as EventDeliveries,
    );

  it('is up where events are delivered', async () => {
    await expect(indicator('hook').check()).resolves.toBeUndefined();
  });

  it('shows events that are dead-lettered, and handlers that get none any more', async () => {
    await expect(indicator('failing').check()).rejects.toThrow('dead-lettered');
    await expect(indicator('hook', ['hook']).check()).rejects.toThrow(
      'Too many calls have never ended: hook',
    );
  });
});
