import { Global, Logger, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions, MigrationInterface } from 'typeorm';
import { ExtensionError, placedUnder, valuesUnder } from '../common/extension-tokens';
import { Environment } from '../config/environment';
import { DatabaseErrors } from './database-errors';
import { DatabaseService } from './database.service';
import { DatabaseTelemetry } from './database.telemetry';
import { openDataSource } from './open-data-source';
import { openForStart } from './start-or-close';
import { TransactionManager } from './transaction-manager';

/** Token under which any module provides, as a value, a list of additional migration classes. */
export const EXTRA_MIGRATIONS = Symbol('EXTRA_MIGRATIONS');

/**
 * Token under which any module provides, as a value, a list of migration classes of a removed extension. If they
 * were applied, their `down` runs at start.
 */
export const REMOVED_MIGRATIONS = Symbol('REMOVED_MIGRATIONS');

type Migrations = (new () => object)[];

/** @throws ExtensionError if the value under the token is not a list of migrations */
function migrationsUnder(token: symbol, discovery: DiscoveryService): Migrations {
  const values = valuesUnder<Migrations>(token, discovery);
  for (const { place, value } of placedUnder(token, discovery)) {
    // TypeORM would take a string for a file pattern, and find no files.
    if (Array.isArray(value) && value.every(isMigration)) continue;
    throw new ExtensionError(
      `${token.description} in ${place} must be a list of classes with up() and down(), whose names end with 13 digits.`,
    );
  }
  return [...new Set(values.flat())];
}

function isMigration(given: unknown): boolean {
  // Functions without a prototype cannot be constructed.
  if (typeof given !== 'function' || given.prototype === undefined) return false;
  const { up, down, name = given.name } = new (given as new () => Partial<MigrationInterface>)();
  return typeof up === 'function' && typeof down === 'function' && /\d{13}$/.test(name);
}

/** @throws ExtensionError if a migration is under both tokens, or is invalid */
function migrationsOf(discovery: DiscoveryService): Record<'extra' | 'removed', Migrations> {
  const under = (token: symbol) => migrationsUnder(token, discovery);
  const [extra, removed] = [under(EXTRA_MIGRATIONS), under(REMOVED_MIGRATIONS)];
  const both = extra.find((migration) => removed.includes(migration));
  if (both) {
    throw new ExtensionError(
      `${both.name} is under EXTRA_MIGRATIONS and under REMOVED_MIGRATIONS: it can be only one.`,
    );
  }
  return { extra, removed };
}

/** Opens the database when the application is created, migrates it, and closes it with the application. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      imports: [DiscoveryModule],
      inject: [Environment, DiscoveryService],
      useFactory: (environment: Environment, discovery: DiscoveryService) => ({
        type: 'postgres',
        autoLoadEntities: true,
        // An unreachable database is reported once and immediately, instead of after half a minute of retries.
        toRetry: () => false,
        // Not an option of TypeORM: data for the data source factory below.
        formula: { environment, migrations: migrationsOf(discovery) },
      }),
      dataSourceFactory: (options) => {
        const { formula, entities } = options as unknown as {
          formula: { environment: Environment; migrations: ReturnType<typeof migrationsOf> };
          entities: DataSourceOptions['entities'];
        };
        const logger = new Logger('Database');
        return openForStart((isCommand) =>
          openDataSource({
            location: formula.environment.database,
            poolSize: formula.environment.databasePoolSize,
            limits: formula.environment.databaseLimits,
            owner: isCommand ? 'command' : 'service',
            entities,
            extraMigrations: formula.migrations.extra,
            removedMigrations: formula.migrations.removed,
            log: (message) => logger.log(message),
            warn: (message) => logger.warn(message),
          }),
        );
      },
    }),
  ],
  providers: [DatabaseService, DatabaseErrors, DatabaseTelemetry, TransactionManager],
  exports: [DatabaseService, TransactionManager],
})
export class DatabaseModule {}
