import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Module } from '@nestjs/common';
import { LoggerModule, type Params } from 'nestjs-pino';
import type { LogFn, Logger } from 'pino';
import type { PrettyOptions } from 'pino-pretty';
import { Environment } from './environment/environment';

/**
 * What a log line shows of an error: never the other fields that drivers attach, because statement parameters and
 * row details are the laboratory's data.
 */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}

/** pino's number of the level `info`. */
const INFO = 30;

const SENSITIVE = ['authorization', 'cookie', 'password', 'token', 'apiKey', 'alphaKey', 'betaKey'];

/** A caller's id joins its log lines with ours; anything but a short plain word is replaced. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
}

/** Nest's own account of its start: of interest only when looking for a fault in it. */
const FRAMEWORK_START = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

const pretty: PrettyOptions = {
  colorize: process.stdout.isTTY,
  ignore: 'pid,hostname,context,req',
  translateTime: 'SYS:HH:MM:ss',
  messageFormat: '{context}: {msg}',
  sync: true,
};

const forRoutes = ['{*path}'];

function options(environment: Environment): Params {
  const http = {
    level: environment.logLevel,
    autoLogging: false,
    quietReqLogger: true,
    genReqId: requestId,
    redact: SENSITIVE.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
    serializers: { err: loggedError },
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn, level: number) {
        const { context } = args[0] as { context?: string };
        const isNoise = level <= INFO && context !== undefined && FRAMEWORK_START.has(context);
        if (!isNoise || this.isLevelEnabled('debug')) method.apply(this, args);
      },
    },
  };
  if (environment.isProduction || environment.isTest) return { pinoHttp: http, forRoutes };
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only loaded where people read the log
  const stream = require('pino-pretty') as typeof import('pino-pretty');
  return { pinoHttp: [http, stream(pretty)], forRoutes };
}

@Module({
  imports: [LoggerModule.forRootAsync({ inject: [Environment], useFactory: options })],
})
export class LoggingModule {}
