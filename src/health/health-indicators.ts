import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Clock } from '../common/clock';
import { ExtensionError, placedUnder } from '../common/extension-tokens';
import { HEALTH_INDICATOR, type HealthIndicator } from './health-indicator';
import { WatchedIndicator } from './watched-indicator';

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export interface IndicatorStates {
  /** Whether everything that is required is up. */
  healthy: boolean;
  states: Record<string, 'up' | 'down'>;
}

/** What modules provide under `HEALTH_INDICATOR`. */
@Injectable()
export class HealthIndicators implements OnModuleInit {
  private watched: readonly WatchedIndicator[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
  ) {}

  /** @throws ExtensionError where one is no indicator, or two have one name */
  onModuleInit(): void {
    const places = new Map<string, string>();
    this.watched = placedUnder(HEALTH_INDICATOR, this.discovery).flatMap(({ place, value }) =>
      [value].flat().map((given) => {
        const indicator = checked(given, place);
        const other = places.get(indicator.name);
        if (other !== undefined) {
          throw new ExtensionError(
            `HEALTH_INDICATOR is named ${indicator.name} in ${other} and ${place}: names are unique.`,
          );
        }
        places.set(indicator.name, place);
        return new WatchedIndicator(indicator, this.clock);
      }),
    );
  }

  /** All at once; undefined where there is none. */
  async states(): Promise<IndicatorStates | undefined> {
    if (this.watched.length === 0) return undefined;
    const answers = await Promise.all(
      this.watched.map(async (watched) => ({ ...required(watched), isUp: await watched.isUp() })),
    );
    return {
      healthy: answers.every(({ isUp, isRequired }) => isUp || !isRequired),
      states: Object.fromEntries(answers.map(({ name, isUp }) => [name, isUp ? 'up' : 'down'])),
    };
  }
}

const required = ({ indicator }: WatchedIndicator) => ({
  name: indicator.name,
  isRequired: indicator.required !== false,
});

function checked(given: unknown, place: string): HealthIndicator {
  const { name, check } = (given ?? {}) as Partial<HealthIndicator>;
  if (typeof name !== 'string' || !NAME.test(name) || typeof check !== 'function') {
    throw new ExtensionError(
      `HEALTH_INDICATOR in ${place} must have a name (a letter, then letters, digits and -, lower case) and check().`,
    );
  }
  return given as HealthIndicator;
}
