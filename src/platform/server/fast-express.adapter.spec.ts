import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Controller, Get, Header, HttpCode, type INestApplication, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Application } from 'express';
import supertest from 'supertest';
import { FastExpressAdapter } from './fast-express.adapter';

@Controller()
class EchoController {
  @Get('echo')
  echo() {
    return { heard: true };
  }

  @Get('text')
  @Header('Content-Type', 'application/json; charset=utf-8')
  text() {
    return '{"name":"甘油"}';
  }

  @Post('text')
  @Header('Content-Type', 'application/json; charset=utf-8')
  made() {
    return '{"name":"甘油"}';
  }

  @Get('plain')
  plain() {
    return 'x';
  }

  @Get('none')
  @HttpCode(204)
  @Header('Content-Type', 'application/json; charset=utf-8')
  none() {
    return '{}';
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

describe('FastExpressAdapter', () => {
  let app: INestApplication;
  let server: Server;
  let express: Application & { request: object; response: object };

  beforeAll(async () => {
    app = await NestFactory.create(EchoModule, new FastExpressAdapter(), { logger: false });
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

  it.each(['/text', '/plain', '/echo', '/none'])('answers %s as Express does', async (path) => {
    const ofExpress = await NestFactory.create(EchoModule, { logger: false });
    await ofExpress.listen(0, '127.0.0.1');
    const other = ofExpress.getHttpServer() as Server;
    for (const express of [ofExpress, app])
      (express.getHttpAdapter().getInstance() as Application).set('etag', false);
    const ask = (asked: Server, headers: Record<string, string>) =>
      [supertest(asked).get(path), supertest(asked).head(path)].map(async (request) => {
        const { status, headers: given, text } = await request.set(headers);
        return { status, text, type: given['content-type'], length: given['content-length'] };
      });
    const conditions: Record<string, string>[] = [
      {},
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': new Date().toUTCString() },
    ];
    for (const headers of conditions) {
      expect(await Promise.all(ask(server, headers))).toEqual(await Promise.all(ask(other, headers)));
    }
    await ofExpress.close();
  });

  it('lets Express see to text that it need not touch no more', async () => {
    const send = jest.spyOn(express.response as { send(body: unknown): unknown }, 'send');
    const { body } = await supertest(server).get('/text').expect(200).expect('Content-Length', '17');
    expect(body).toEqual({ name: '甘油' });
    expect(send).not.toHaveBeenCalled();
    await supertest(server).post('/text').expect(201).expect('Content-Length', '17');
    expect(send).not.toHaveBeenCalled();
    await supertest(server).get('/text').set('If-None-Match', 'x').expect(200);
    await supertest(server).get('/plain').expect(200, 'x');
    await supertest(server).get('/none').expect(204);
    expect(send).toHaveBeenCalledTimes(3);
    send.mockRestore();
  });

  it.each([{ forceCloseConnections: true }, { httpsOptions: {} }])('leaves %j to Nest', (options) => {
    const ofNest = jest.spyOn(ExpressAdapter.prototype, 'initHttpServer').mockImplementation();
    new FastExpressAdapter().initHttpServer(options);
    expect(ofNest).toHaveBeenCalledWith(options);
    ofNest.mockRestore();
  });
});
