import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import passport, { type Strategy } from 'passport';
import { ExtensionError, theOneUnder } from '../common/extension-tokens';

/** Our own strategy in a list of `AUTH_STRATEGIES`: the bearer tokens that this service issues. */
export const TOKEN_STRATEGY = 'jwt';

/**
 * Token under which one module provides the names of the passport strategies that admit a request, in the
 * order in which they are tried; `TOKEN_STRATEGY` is ours. Without it, only ours. What a strategy gives is an
 * account of ours (`CurrentUser`), as `AccountsService` finds or provisions it.
 */
export const AUTH_STRATEGIES = Symbol('AUTH_STRATEGIES');

/** One that an extension names. */
export interface OtherStrategy {
  readonly name: string;
  readonly strategy: Strategy;
}

/** The strategies that admit a request, in their order. */
@Injectable()
export class AuthStrategies implements OnModuleInit, OnApplicationBootstrap {
  private names: readonly string[] = [TOKEN_STRATEGY];
  private tried: readonly (OtherStrategy | typeof TOKEN_STRATEGY)[] = [TOKEN_STRATEGY];

  /** Whether a request may be somebody's though it has no token of ours. */
  hasOthers = false;

  constructor(private readonly discovery: DiscoveryService) {}

  get list(): readonly (OtherStrategy | typeof TOKEN_STRATEGY)[] {
    return this.tried;
  }

  /** @throws ExtensionError where the list is none */
  onModuleInit(): void {
    const names = theOneUnder<unknown>(AUTH_STRATEGIES, this.discovery) ?? this.names;
    if (!isListOfNames(names)) {
      throw new ExtensionError(
        'AUTH_STRATEGIES must be a list of names of strategies, at least one, each once.',
      );
    }
    this.names = names;
    this.hasOthers = names.some((name) => name !== TOKEN_STRATEGY);
  }

  /**
   * passport's register is the process's, where another application may replace a strategy of the same name:
   * each keeps those that are there when its own are.
   * @throws ExtensionError where a name is nobody's
   */
  onApplicationBootstrap(): void {
    this.tried = this.names.map((name) => {
      if (name === TOKEN_STRATEGY) return name;
      const strategy = registered(name);
      if (!strategy) {
        throw new ExtensionError(
          `AUTH_STRATEGIES names ${name}, and no strategy is registered under that name: is it a provider of a module?`,
        );
      }
      return { name, strategy };
    });
  }
}

const isListOfNames = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((name) => typeof name === 'string' && name !== '') &&
  new Set(value).size === value.length;

/** The one way to a registered strategy; passport itself takes it for every request. */
const registered = (name: string): Strategy | undefined =>
  (passport as unknown as { _strategy(name: string): Strategy | undefined })._strategy(name);
