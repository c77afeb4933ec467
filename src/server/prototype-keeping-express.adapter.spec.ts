import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';
import supertest from 'supertest';
import { PrototypeKeepingExpressAdapter } from './prototype-keeping-express.adapter';

@Controller()
class EchoController {
  @Get('echo')
  echo() {
    return { heard: true };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

describe('PrototypeKeepingExpressAdapter', () => {
  let app: INestApplication;
  let server: Server;
  let express: Application & { request: object; response: object };

  beforeAll(async () => {
    app = await NestFactory.create(EchoModule, new PrototypeKeepingExpressAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    server = app.getHttpServer() as Server;
    express = app.getHttpAdapter().getInstance();
  });
  afterAll(() => app.close());

  it('gives Express requests and responses that already have its prototypes', async () => {
    let prototypes: object[] = [];
    server.prependOnceListener('request', (request: IncomingMessage, response: ServerResponse) => {
      prototypes = [request, response].map((made) => Object.getPrototypeOf(made) as object);
    });
    await supertest(server).get('/echo').expect(200, { heard: true });
    expect(prototypes[0]).toBe(express.request);
    expect(prototypes[1]).toBe(express.response);
  });

  it.each([{ forceCloseConnections: true }, { httpsOptions: {} }])('leaves %j to Nest', (options) => {
    const ofNest = jest.spyOn(ExpressAdapter.prototype, 'initHttpServer').mockImplementation();
    new PrototypeKeepingExpressAdapter().initHttpServer(options);
    expect(ofNest).toHaveBeenCalledWith(options);
    ofNest.mockRestore();
  });
});
