import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { Eta } from 'eta';
import type { NextFunction, Request, Response } from 'express';
import { ConcurrencyGuard } from '../request-limits/concurrency.guard';
import { Environment } from '../config/environment';
import { ClientThrottlerGuard } from '../request-limits/client-throttler.guard';

/** The page has inline styles and loads nothing. */
const PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/**
 * Serves a page with links to the API page, health and the demo to browsers that open `/`. Other clients get the
 * 404 of every unknown path.
 */
export function serveStartPage(app: INestApplication): void {
  const { apiDocs } = app.get(Environment);
  const [throttler, concurrency] = [app.get(ClientThrottlerGuard), app.get(ConcurrencyGuard)];
  const page = new Eta({ views: join(__dirname, 'templates') }).render('./start-page', {
    title: 'Formula Development Service',
    hasApiDocs: apiDocs,
  });
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) return next();
    response.vary('Accept');
    if (!prefersPage(request)) return next();
    await throttler.countUnrouted(request, response);
    await concurrency.admit(response);
    response.set('Content-Security-Policy', PAGE_POLICY).type('html').send(page);
  });
}

/** Browsers prefer `text/html`. Clients that accept any type get JSON. */
const prefersPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
