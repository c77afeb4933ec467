import { hostname } from 'node:os';
import { ConsoleLogger, type INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { StartOptions } from 'formula-development-service';

/** Says on every answer which machine gave it, errors included. */
function servedBy(_: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Served-By', hostname());
  next();
}

export const startOptions: StartOptions = {
  // The lines that the laboratory's other Nest applications write, in place of the service's own.
  logger: new ConsoleLogger({ json: true, logLevels: ['log', 'warn', 'error', 'fatal'] }),
  beforeListen: (app: INestApplication) => app.use(servedBy),
};
