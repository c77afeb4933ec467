import { type ArgumentsHost, Logger } from '@nestjs/common';
import { TooManyRequestsError } from '../common/errors/service-error';
import { SecurityLog } from '../common/security-log';
import { AllExceptionsFilter } from './exception.filter';

describe('AllExceptionsFilter', () => {
  const response = {
    headersSent: false,
    emit: jest.fn(),
    req: { headers: {} },
    vary: jest.fn(),
    getHeader: () => 'id-1',
    status: jest.fn().mockReturnThis(),
    set: jest.fn().mockReturnThis(),
    json: jest.fn(),
    end: jest.fn(),
    destroy: jest.fn(),
  };
  const http = {
    getRequest: () => ({ method: 'PUT', path: '/api/x', url: '/api/x?q=secret' }),
    getResponse: () => response,
  };
  const caught = (error: unknown) =>
    new AllExceptionsFilter(true, new SecurityLog()).catch(error, {
      switchToHttp: () => http,
    } as unknown as ArgumentsHost);
  let logged: jest.SpyInstance;

  beforeEach(() => {
    jest.clearAllMocks();
    response.headersSent = false;
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  });
  afterEach(() => jest.restoreAllMocks());

  it('logs an unknown error under the id that the answer names, whatever the logger adds itself', () => {
    caught(new Error('cause'));
    expect(logged.mock.calls).toEqual([
      [
        {
          requestId: 'id-1',
          method: 'PUT',
          path: '/api/x',
          err: expect.objectContaining({ message: 'cause' }),
        },
        'Unexpected error',
      ],
    ]);
    expect(response.json).toHaveBeenCalledWith({ error: 'Internal Server Error', statusCode: 500 });
  });

  it('answers a known error with its status, headers and text, and logs nothing', () => {
    caught(new TooManyRequestsError(7));
    expect(response.status).toHaveBeenCalledWith(429);
    expect(response.set).toHaveBeenCalledWith({ 'Retry-After': '7', 'X-Error-Code': 'rate.limited' });
    expect(response.json).toHaveBeenCalledWith({ error: '请求过于频繁,请稍后再试', statusCode: 429 });
    expect(logged).not.toHaveBeenCalled();
  });

  it('cuts an answer that has begun: it must not look complete', () => {
    response.headersSent = true;
    caught(new Error('late'));
    expect(response.destroy).toHaveBeenCalledTimes(1);
    expect(response.end).not.toHaveBeenCalled();
    expect(response.json).not.toHaveBeenCalled();
  });
});
