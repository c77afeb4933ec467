import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Controller, Get, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Application } from 'express';
import supertest from 'supertest';
import { ExpressBornAdapter } from './express-born-adapter';

@Controller()
class EchoController {
  @Get('echo')
  echo() {
    return { heard: true };
  }
}

@Module({ controllers: [EchoController] })
class EchoModule {}

describe('ExpressBornAdapter', () => {
  let app: INestApplication;
  let server: Server;
  let express: Application & { request: object; response: object };

  beforeAll(async () => {
    app = await NestFactory.create(EchoModule, new ExpressBornAdapter(), { logger: false });
    await app.listen(0, '127.0.0.1');
    server = app.getHttpServer() as Server;
    express = app.getHttpAdapter().getInstance();
  });
  afterAll(() => app.close());

  it('gives Express requests and responses that already have its prototypes', async () => {
    let born: object[] = [];
    server.prependOnceListener('request', (request: IncomingMessage, response: ServerResponse) => {
      born = [request, response].map((made) => Object.getPrototypeOf(made) as object);
    });
    await supertest(server).get('/echo').expect(200, { heard: true });
    expect(born[0]).toBe(express.request);
    expect(born[1]).toBe(express.response);
  });

  it('closes open connections where it is told to, as Nest does', async () => {
    const closing = await NestFactory.create(EchoModule, new ExpressBornAdapter(), {
      logger: false,
      forceCloseConnections: true,
    });
    await closing.listen(0, '127.0.0.1');
    const { port } = (closing.getHttpServer() as Server).address() as AddressInfo;
    const idle = connect(port, '127.0.0.1');
    await once(closing.getHttpServer() as Server, 'connection');
    const closed = once(idle, 'close');
    await closing.close();
    await closed;
  });
});
