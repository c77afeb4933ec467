import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import passport, { type Strategy } from 'passport';
import { ExtensionError, placedUnder } from '../common/extension-tokens';

/** Name of our own strategy in a list of `AUTH_STRATEGIES`: the bearer tokens that this service issues. */
export const TOKEN_STRATEGY = 'jwt';

/**
 * Token under which any module provides a list of passport strategies that authenticate requests, in the order in
 * which they are tried. The lists of several modules are joined. `TOKEN_STRATEGY` is our own; without a list, only
 * it is tried. A strategy returns an account (`CurrentUser`), as `AccountsService` finds or provisions it.
 */
export const AUTH_STRATEGIES = Symbol('AUTH_STRATEGIES');

type SecurityScheme = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>[string],
  { $ref: string }
>;

/** The name of a strategy, alone or with the security scheme that documents it in OpenAPI. */
export type AuthStrategyEntry = string | { readonly name: string; readonly openApi: SecurityScheme };

/** A strategy of an extension. */
export interface OtherStrategy {
  readonly name: string;
  readonly strategy: Strategy;
}

/** The strategies that authenticate requests, in their order. */
@Injectable()
export class AuthStrategies implements OnModuleInit, OnApplicationBootstrap {
  private names: readonly string[] = [TOKEN_STRATEGY];
  list: readonly (OtherStrategy | typeof TOKEN_STRATEGY)[] = [TOKEN_STRATEGY];
  /** True if a request without a token of ours may still be authenticated. */
  hasOthers = false;
  /** Security schemes that document the strategies of extensions in OpenAPI. */
  securitySchemes: ReadonlyMap<string, SecurityScheme> = new Map();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError naming the module whose list is invalid */
  onModuleInit(): void {
    const entries = placedUnder(AUTH_STRATEGIES, this.discovery).flatMap(({ place, value }) =>
      checkedList(place, value),
    );
    if (entries.length === 0) return;
    this.names = [...new Set(entries.map(nameOf))];
    this.hasOthers = this.names.some((name) => name !== TOKEN_STRATEGY);
    this.securitySchemes = new Map(
      entries.flatMap((entry) => (typeof entry === 'string' ? [] : [[entry.name, entry.openApi]])),
    );
  }

  /**
   * Stores the strategies. passport's registry belongs to the process, so another application in it may replace a
   * strategy of the same name.
   * @throws ExtensionError for a name without a strategy
   */
  onApplicationBootstrap(): void {
    this.list = this.names.map((name) => {
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

const nameOf = (entry: AuthStrategyEntry): string => (typeof entry === 'string' ? entry : entry.name);

/** A class is refused: it has a name too, but is the strategy itself and not an entry. */
const isEntry = (entry: unknown): entry is AuthStrategyEntry =>
  typeof entry === 'string' || (typeof entry === 'object' && entry !== null);

function checkedList(place: string, value: unknown): AuthStrategyEntry[] {
  const names: unknown[] = Array.isArray(value)
    ? value.map((entry: unknown) => (isEntry(entry) ? nameOf(entry) : undefined))
    : [];
  const isList = names.length > 0 && names.every((name) => typeof name === 'string' && name !== '');
  if (isList && new Set(names).size === names.length) return value as AuthStrategyEntry[];
  throw new ExtensionError(
    `AUTH_STRATEGIES in ${place} must be a list of names of strategies, at least one, each once.`,
  );
}

/** passport has no public method that returns a registered strategy. */
const registered = (name: string): Strategy | undefined =>
  (passport as unknown as { _strategy(name: string): Strategy | undefined })._strategy(name);
