import type { InjectionToken, LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Role, ROLES } from '../common/current-user';
import type { ModuleReference } from '../common/module-providers';
import { startOrClose } from '../database/start-or-close';
import type { CliIo } from './cli-io';

/** A running service without HTTP, of which a command takes what it needs. */
export interface OpenService {
  get<T>(token: InjectionToken<T>): T;
  close(): Promise<void>;
}

/**
 * Opens the service for commands. They open it themselves, when their arguments and files have been checked:
 * a wrong command line is told at once, and help is there while the service runs.
 */
export abstract class ServiceContext {
  /** The roles an account can be given, known before the service is open. */
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

export class AppServiceContext extends ServiceContext {
  /** @param module what is opened */
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

/** Standard output is for results: a report or an exported table. */
class StderrLogger implements LoggerService {
  constructor(private readonly io: CliIo) {}

  /** Of the service's own start only what concerns the database is of interest here; security is, always. */
  log(message: unknown, ...more: unknown[]): void {
    const context = more.at(-1);
    if (context === 'Database') this.io.tell(String(message));
    if (context === 'Security') this.io.tell(JSON.stringify(message));
  }

  warn(message: unknown, ...more: unknown[]): void {
    this.io.tell(`Warning: ${textOf(message, more)}`);
  }

  error(message: unknown, ...more: unknown[]): void {
    // Nest reports a failed start here and throws it too: the command explains it, once and without a stack.
    if (more.at(-1) === 'ExceptionHandler') return;
    this.io.tell(message instanceof Error ? (message.stack ?? message.message) : textOf(message, more));
  }
}

/** Of an object the text that comes with it, and its error's. */
function textOf(message: unknown, [text]: readonly unknown[]): string {
  if (typeof message !== 'object' || message === null) return String(message);
  const { err } = message as { err?: { message?: unknown } };
  return [text, err?.message].filter((part) => typeof part === 'string').join(': ');
}
