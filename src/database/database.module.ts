import { Global, Logger, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { valuesUnder } from '../common/extension-tokens';
import { Environment } from '../environment/environment';
import { Database } from './database';
import { openDataSource } from './open-data-source';

/** Token under which any module provides, as a value, the list of migration classes that it adds. */
export const EXTRA_MIGRATIONS = Symbol('EXTRA_MIGRATIONS');

type Migrations = (new () => object)[];

const extraMigrations = (discovery: DiscoveryService): Migrations => [
  ...new Set(valuesUnder<Migrations>(EXTRA_MIGRATIONS, discovery).flat()),
];

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
        // A database that is not there is an error to report at once and once, not after half a minute of
        // retries.
        toRetry: () => false,
        // Not TypeORM's: what the data source factory below needs.
        formula: { environment, extraMigrations: extraMigrations(discovery) },
      }),
      dataSourceFactory: (options) => {
        const { formula, entities } = options as unknown as {
          formula: { environment: Environment; extraMigrations: Migrations };
          entities: DataSourceOptions['entities'];
        };
        const logger = new Logger('Database');
        return openDataSource({
          location: formula.environment.database,
          poolSize: formula.environment.databasePoolSize,
          limits: formula.environment.databaseLimits,
          allowNewerSchema: formula.environment.databaseAllowsNewerSchema,
          entities,
          extraMigrations: formula.extraMigrations,
          log: (message) => logger.log(message),
          warn: (message) => logger.warn(message),
        });
      },
    }),
  ],
  providers: [Database],
  exports: [Database],
})
export class DatabaseModule {}
