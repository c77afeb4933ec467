import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Clock } from '../common/clock';
import { loggedError } from '../common/errors/logged-error';
import { ExtensionError, namedUnder } from '../common/extension-tokens';
import { CachedCheck } from './cached-check';

/**
 * Token under which any module provides a `HealthIndicator` or a list of them, to make health depend on other
 * components than the database.
 */
export const HEALTH_INDICATOR = Symbol('HEALTH_INDICATOR');

export interface HealthIndicator {
  /** Unique and public: lower-case letters, digits and `-`, at most 40 characters, beginning with a letter. */
  readonly name: string;
  /** If `false`, the service stays healthy while this indicator is down. */
  readonly required?: boolean;
  /**
   * Resolves if the component is up. An error is only logged. After 1800 ms the indicator counts as down and the
   * signal is aborted. It is not called again before this call has ended.
   */
  check(signal: AbortSignal): Promise<void>;
}

const NAME = /^[a-z][a-z0-9-]{0,39}$/;

export interface IndicatorStates {
  /** True if all required indicators are up. */
  healthy: boolean;
  states: Record<string, 'up' | 'down'>;
}

/** The indicators that modules provide under `HEALTH_INDICATOR`. */
@Injectable()
export class HealthIndicators implements OnModuleInit {
  private readonly logger = new Logger('Health');
  private readonly checks = new Map<string, { isRequired: boolean; check: CachedCheck }>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
  ) {}

  /** @throws ExtensionError if one is not an indicator, or two have the same name */
  onModuleInit(): void {
    for (const indicator of namedUnder(HEALTH_INDICATOR, this.discovery, checked)) {
      this.checks.set(indicator.name, {
        isRequired: indicator.required !== false,
        check: new CachedCheck(
          (signal) => indicator.check(signal),
          this.clock,
          this.logChanges(indicator.name),
        ),
      });
    }
  }

  /** Runs all checks in parallel; undefined if there are none. */
  async states(): Promise<IndicatorStates | undefined> {
    if (this.checks.size === 0) return undefined;
    const answers = await Promise.all(
      [...this.checks].map(async ([name, { isRequired, check }]) => ({
        name,
        isRequired,
        isUp: await check.isUp(),
      })),
    );
    return {
      healthy: answers.every(({ isUp, isRequired }) => isUp || !isRequired),
      states: Object.fromEntries(answers.map(({ name, isUp }) => [name, isUp ? 'up' : 'down'])),
    };
  }

  private logChanges(name: string): (isUp: boolean, error?: unknown) => void {
    let wasUp = true;
    return (isUp, error) => {
      if (isUp && !wasUp) this.logger.log(`${name} is up again`);
      if (!isUp && wasUp) this.logger.error({ err: loggedError(error) }, `${name} is down`);
      wasUp = isUp;
    };
  }
}

function checked(given: unknown, place: string): HealthIndicator {
  const { name, check } = (given ?? {}) as Partial<HealthIndicator>;
  if (typeof name === 'string' && NAME.test(name) && typeof check === 'function')
    return given as HealthIndicator;
  throw new ExtensionError(
    `HEALTH_INDICATOR in ${place} must have a name (a letter, then letters, digits and -, lower case) and check().`,
  );
}
