import { Injectable, type InjectionToken, type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandRunner } from 'nest-commander';
import { type Role, ROLES } from '../platform/common/current-user';
import type { ModuleReference } from '../platform/common/module-providers';
import { startOrClose } from '../platform/database/start-or-close';
import { CliIo } from './cli-io';

/** Injection token of the module whose commands these are. */
export const ROOT_MODULE = Symbol('ROOT_MODULE');

/** A running service without HTTP, from which a command gets providers. */
export interface OpenService {
  get<T>(token: InjectionToken<T>): T;
  close(): Promise<void>;
}

/**
 * Opens the service for commands. A command opens it only after checking its arguments and files, so that a wrong
 * command line is reported at once, and help is available while the service runs.
 */
export abstract class ServiceContext {
  /** The roles that an account can have, known before the service is open. */
  readonly roles: readonly Role[] = ROLES;

  protected abstract open(): Promise<OpenService>;

  async use<T>(work: (service: OpenService) => Promise<T>): Promise<T> {
    const service = await this.open();
    try {
      return await work(service);
    } finally {
      await service.close();
    }
  }
}

/** A command that uses the service. */
@Injectable()
export abstract class ServiceCommand extends CommandRunner {
  constructor(
    protected readonly io: CliIo,
    protected readonly service: ServiceContext,
  ) {
    super();
  }
}

export class AppServiceContext extends ServiceContext {
  /** @param module the module to open */
  constructor(
    private readonly io: CliIo,
    private readonly module: ModuleReference,
    override readonly roles: readonly Role[] = ROLES,
  ) {
    super();
  }

  protected async open(): Promise<OpenService> {
    const options = { logger: new StderrLogger(this.io), abortOnError: false };
    const context = await startOrClose(
      () => NestFactory.createApplicationContext(this.module, options),
      () => Promise.resolve(),
      true,
    );
    return {
      get: (token) => context.get(token, { strict: false }),
      close: () => context.close(),
    };
  }
}

/** Logs to standard error, because standard output is for results: a report or an exported table. */
class StderrLogger implements LoggerService {
  constructor(private readonly io: CliIo) {}

  /** Prints messages about the database and security. Other messages of the start do not matter for a command. */
  log(message: unknown, ...more: unknown[]): void {
    const context = more.at(-1);
    if (context === 'Database') this.io.tell(String(message));
    if (context === 'Security') this.io.tell(JSON.stringify(message));
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.io.tell(`Warning: ${logText(message, more)}`);
  }

  error(message: unknown, ...more: unknown[]): void {
    // Nest logs a failed start here and also throws the error. The command prints it once, without a stack.
    if (more.at(-1) === 'ExceptionHandler') return;
    this.io.tell(message instanceof Error ? (message.stack ?? message.message) : logText(message, more));
  }
}

/** Returns a message as text; for an object the accompanying text and the message of its error. */
function logText(message: unknown, [text]: readonly unknown[]): string {
  if (typeof message !== 'object' || message === null) return String(message);
  const { err } = message as { err?: { message?: unknown } };
  return [text, err?.message].filter((part) => typeof part === 'string').join(': ');
}
