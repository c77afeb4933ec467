import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { Environment } from '../environment/environment';
import { Database } from './database';
import { openDataSource } from './open-data-source';

/** Injection token of the migration classes that extensions add. */
export const EXTRA_MIGRATIONS = Symbol('EXTRA_MIGRATIONS');

/** Opens the database when the application is created, migrates it, and closes it with the application. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Environment, { token: EXTRA_MIGRATIONS, optional: true }],
      useFactory: (environment: Environment, extraMigrations?: (new () => object)[]) => ({
        type: 'postgres',
        autoLoadEntities: true,
        // A database that is not there is an error to report at once and once, not after half a minute of
        // retries.
        toRetry: () => false,
        // Not TypeORM's: what the data source factory below needs.
        formula: { environment, extraMigrations },
      }),
      dataSourceFactory: (options) => {
        const { formula, entities } = options as unknown as {
          formula: { environment: Environment; extraMigrations?: (new () => object)[] };
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
