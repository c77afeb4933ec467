import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { loggedError } from '../common/errors/logged-error';
import { requestContext } from '../common/request-context';
import type { Environment } from '../config/environment';
import { redactor } from './redaction';

type Level = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

/** Fields that are never logged, wherever they occur in a log line. */
const SENSITIVE = ['authorization', 'cookie', 'password', 'token', 'apiKey', 'alphaKey', 'betaKey'];

/** Contexts of Nest's messages about its start. They are useful only for debugging, so they have level `debug`. */
const FRAMEWORK_START = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Contexts in which Nest logs an error at start. Nest also throws it, and the caller explains it to the operator. */
const FAILED_START = new Set(['ExceptionHandler', 'NestApplication']);

/**
 * Nest's logger, backed by pino. It writes JSON lines in production and readable lines elsewhere. Lines written
 * while a request is handled contain the ids of the request and of its trace.
 */
export class ServiceLogger implements LoggerService {
  private constructor(private readonly pino: Logger) {}

  /** @param destination receives the JSON lines instead of standard output */
  static for(environment: Environment, destination?: DestinationStream): ServiceLogger {
    const options = {
      level: environment.logLevel,
      base: undefined,
      mixin: () => {
        const { requestId, traceId } = requestContext.getStore() ?? {};
        return { ...(requestId && { requestId }), ...(traceId && { traceId }) };
      },
      hooks: { streamWrite: redactor(environment) },
      redact: SENSITIVE.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    };
    if (destination) return new ServiceLogger(pino(options, destination));
    return new ServiceLogger(environment.isProduction ? pino(options) : pino(options, forPeople()));
  }

  log(message: unknown, ...rest: unknown[]): void {
    const isFrameworkStart = FRAMEWORK_START.has(String(rest.at(-1)));
    this.write(isFrameworkStart ? 'debug' : 'info', message, rest);
  }

  error(message: unknown, ...rest: unknown[]): void {
    const isFailedStart = FAILED_START.has(String(rest.at(-1)));
    this.write(isFailedStart ? 'debug' : 'error', message, rest);
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }

  /**
   * Nest calls the logger with a text or an object, then perhaps a text (the stack of an error, or a description of
   * the object), and the context last.
   */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    if (!this.pino.isLevelEnabled(level)) return;
    const context = rest.at(-1);
    const text = rest.length > 1 ? rest[0] : undefined;
    if (message instanceof Error) {
      this.pino[level]({ context, err: loggedError(message) }, message.message);
    } else if (typeof message === 'object' && message !== null) {
      this.pino[level]({ context, ...message }, typeof text === 'string' ? text : undefined);
    } else {
      this.pino[level](text === undefined ? { context } : { context, stack: text }, String(message));
    }
  }
}

function forPeople() {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only loaded where people read the log
  const pretty = require('pino-pretty') as typeof import('pino-pretty');
  return pretty({
    colorize: process.stdout.isTTY,
    ignore: 'context',
    translateTime: 'SYS:HH:MM:ss',
    messageFormat: '{context}: {msg}',
    sync: true,
  });
}
