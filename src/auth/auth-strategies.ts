import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import passport, { type Strategy } from 'passport';
import { ExtensionError, placedUnder } from '../common/extension-tokens';

/** Our own strategy in a list of `AUTH_STRATEGIES`: the bearer tokens that this service issues. */
export const TOKEN_STRATEGY = 'jwt';

/**
 * Token under which any module provides a list of passport strategies that admit a request, in the order in
 * which they are tried; the lists of several modules are joined. `TOKEN_STRATEGY` is ours. Without a list,
 * only ours is tried. A strategy returns an account (`CurrentUser`), as `AccountsService` finds or provisions it.
 */
export const AUTH_STRATEGIES = Symbol('AUTH_STRATEGIES');

type SecurityScheme = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['securitySchemes']>[string],
  { $ref: string }
>;

/** A strategy by its name, or with the security scheme that documents it in OpenAPI. */
export type AuthStrategyEntry = string | { readonly name: string; readonly openApi: SecurityScheme };

/** A strategy of an extension. */
export interface OtherStrategy {
  readonly name: string;
  readonly strategy: Strategy;
}

/** The strategies that admit a request, in their order. */
@Injectable()
export class AuthStrategies implements OnModuleInit, OnApplicationBootstrap {
  private names: readonly string[] = [TOKEN_STRATEGY];
  private strategies: readonly (OtherStrategy | typeof TOKEN_STRATEGY)[] = [TOKEN_STRATEGY];
  private schemes: ReadonlyMap<string, SecurityScheme> = new Map();

  constructor(private readonly discovery: DiscoveryService) {}

  get list(): readonly (OtherStrategy | typeof TOKEN_STRATEGY)[] {
    return this.strategies;
  }

  /** Whether a request may be somebody's though it has no token of ours. */
  get hasOthers(): boolean {
    return this.names.some((name) => name !== TOKEN_STRATEGY);
  }

  /** How OpenAPI documents the strategies of extensions. */
  get securitySchemes(): ReadonlyMap<string, SecurityScheme> {
    return this.schemes;
  }

  /** @throws ExtensionError that names the module whose list is none */
  onModuleInit(): void {
    const entries = placedUnder(AUTH_STRATEGIES, this.discovery).flatMap(({ place, value }) =>
      checkedList(place, value),
    );
    if (entries.length === 0) return;
    this.names = [...new Set(entries.map(nameOf))];
    this.schemes = new Map(
      entries.flatMap((entry) => (typeof entry === 'string' ? [] : [[entry.name, entry.openApi]])),
    );
  }

  /**
   * Remembers the strategies: passport's register belongs to the process, and another application may replace
   * one of the same name.
   * @throws ExtensionError for a name without a strategy
   */
  onApplicationBootstrap(): void {
    this.strategies = this.names.map((name) => {
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

/** A class has a name as well: it is the strategy itself, not an entry. */
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

/** passport offers no other access to a registered strategy. */
const registered = (name: string): Strategy | undefined =>
  (passport as unknown as { _strategy(name: string): Strategy | undefined })._strategy(name);
