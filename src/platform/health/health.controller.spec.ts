import 'reflect-metadata';
import type { Response } from 'express';
import { LANE } from '../request-limits/concurrency.guard';
import { HealthController } from './health.controller';

/** An answer to a request without headers. */
const unspecified = { req: { headers: {} }, vary: jest.fn() };

describe('HealthController', () => {
  it('waits for nobody: whoever looks after the service is answered whatever their address does', () => {
    const { value: check } = Object.getOwnPropertyDescriptor(HealthController.prototype, 'check')!;
    expect(Reflect.getMetadata(LANE, check as object)).toBe('none');
  });

  it.each([
    [true, [], { status: 'ok', timestamp: '1970-01-01T00:00:00.007Z' }],
    [
      false,
      [[503]],
      { status: 'error', timestamp: '1970-01-01T00:00:00.007Z', error: '数据库不可用', statusCode: 503 },
    ],
  ])('tells whether the database answers: %p', async (answers, statuses, body) => {
    const status = jest.fn();
    const setHeader = jest.fn();
    const controller = new HealthController(
      { databaseAnswers: () => Promise.resolve(answers) } as never,
      { now: () => 7 } as never,
      { states: () => Promise.resolve(undefined) } as never,
    );
    expect(await controller.check({ ...unspecified, status, setHeader } as unknown as Response)).toEqual(
      body,
    );
    expect(status.mock.calls).toEqual(statuses);
    expect(setHeader.mock.calls).toEqual(answers ? [] : [['X-Error-Code', 'database.unavailable']]);
  });

  it('says no as soon as the instance is to stop, and names no database for it', async () => {
    const health = { databaseAnswers: () => Promise.resolve(true), isStopping: false };
    const status = jest.fn();
    const setHeader = jest.fn();
    const controller = new HealthController(
      health as never,
      { now: () => 7 } as never,
      { states: () => Promise.resolve(undefined) } as never,
    );
    const check = () => controller.check({ ...unspecified, status, setHeader } as unknown as Response);
    expect(await check()).toMatchObject({ status: 'ok' });
    health.isStopping = true;
    expect(await check()).toMatchObject({ status: 'error', error: '服务暂时不可用', statusCode: 503 });
    expect(status.mock.calls).toEqual([[503]]);
    expect(setHeader.mock.calls).toEqual([['X-Error-Code', 'server.unhealthy']]);
  });
});
