import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { configureApp } from './app.factory';
import { Environment, parseEnvironment } from './environment/environment';

describe('configureApp', () => {
  it.each([
    [{}, undefined],
    [{ NODE_ENV: 'production' }, expect.stringMatching(/^max-age=\d{8}/) as string],
  ])('binds browsers to HTTPS in production only: %j', async (variables, expected) => {
    const environment = parseEnvironment({ API_DOCS: 'false', ...variables });
    const compiled = await Test.createTestingModule({
      providers: [{ provide: Environment, useValue: environment }],
    }).compile();
    const app = configureApp(compiled.createNestApplication());
    await app.init();
    try {
      const { headers } = await supertest(app.getHttpServer()).get('/');
      expect(headers['strict-transport-security']).toEqual(expected);
    } finally {
      await app.close();
    }
  });
});
