import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { configureApp } from './app.factory';
import { Environment, parseEnvironment } from './platform/config/environment';
import { serveApiDocs } from './platform/server/api-docs';

jest.mock('./platform/server/api-docs');
jest.mock('./platform/server/start-page');

/** The headers of an answer of a service of these settings. */
async function headersWith(variables: Record<string, string>, origin = 'https://other.example') {
  const environment = parseEnvironment(variables);
  const compiled = await Test.createTestingModule({
    providers: [{ provide: Environment, useValue: environment }],
  }).compile();
  const app = compiled.createNestApplication();
  expect(configureApp(app)).toBe(app);
  await app.init();
  try {
    const { headers } = await supertest(app.getHttpServer()).get('/').set('Origin', origin);
    return headers as Record<string, string>;
  } finally {
    await app.close();
  }
}

describe('configureApp', () => {
  beforeEach(() => jest.mocked(serveApiDocs).mockReset());

  it.each([
    [{}, undefined],
    [{ NODE_ENV: 'production' }, expect.stringMatching(/^max-age=\d{8}/) as string],
  ])('binds browsers to HTTPS in production only: %j', async (variables, expected) => {
    expect((await headersWith(variables))['strict-transport-security']).toEqual(expected);
  });

  it('sends the headers that protect answers, and none that concern pages only', async () => {
    const { date: _, etag: __, ...headers } = await headersWith({});
    expect(headers).toEqual({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'content-type': 'application/json; charset=utf-8',
      'content-length': expect.any(String) as string,
      connection: expect.any(String) as string,
    });
  });

  it.each([
    ['', 'https://a.example', undefined],
    ['https://a.example,https://b.example', 'https://b.example', 'https://b.example'],
    ['https://a.example,https://b.example', 'https://c.example', undefined],
    ['https://a.example,*', 'https://c.example', '*'],
  ])('with CORS_ORIGIN=%s lets pages of %s read answers: %s', async (CORS_ORIGIN, origin, allowed) => {
    const headers = await headersWith({ CORS_ORIGIN }, origin);
    expect(headers['access-control-allow-origin']).toBe(allowed);
    const exposed = headers['access-control-expose-headers']?.split(',').toSorted();
    expect(exposed).toEqual(
      CORS_ORIGIN === ''
        ? undefined
        : [
            'Content-Disposition',
            'ETag',
            'Retry-After',
            'X-AI-Notes',
            'X-AI-Source',
            'X-Duplicate-Of',
            'X-Error-Code',
            'X-Ignored-Fields',
            'X-Ignored-Parameters',
            'X-Percent-Total',
            'X-RateLimit-Limit',
            'X-RateLimit-Remaining',
            'X-RateLimit-Reset',
            'X-Request-Id',
            'X-Unread-Lines',
          ],
    );
  });

  it.each([
    [{}, 1],
    [{ API_DOCS: 'false' }, 0],
  ])('serves the API page where the settings say so: %j', async (variables, times) => {
    await headersWith(variables);
    expect(serveApiDocs).toHaveBeenCalledTimes(times);
  });
});
