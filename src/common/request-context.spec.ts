import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { awaitedByRequest, currentRequestId, runInRequest } from './request-context';

describe('awaitedByRequest', () => {
  function openResponse(): ServerResponse {
    const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
    response.assignSocket(new Socket());
    return response;
  }

  function waitingFor(...abandon: jest.Mock[]): ServerResponse {
    const response = openResponse();
    runInRequest('id', response, () => abandon.forEach((work) => awaitedByRequest({ abandon: work })));
    return response;
  }

  it('abandons all that the request waits for when its client goes away', () => {
    const abandon = [jest.fn(), jest.fn()];
    const response = waitingFor(...abandon);
    expect(abandon[0]).not.toHaveBeenCalled();
    response.emit('close');
    for (const work of abandon) expect(work).toHaveBeenCalledTimes(1);
  });

  it('abandons nothing once the answer has been sent', () => {
    const abandon = jest.fn();
    const response = waitingFor(abandon);
    Object.defineProperty(response, 'writableFinished', { value: true });
    response.emit('close');
    expect(abandon).not.toHaveBeenCalled();
  });

  it('abandons at once what is begun after the client has gone', () => {
    const response = openResponse();
    response.req.socket.destroy();
    const abandon = jest.fn();
    runInRequest('id', response, () => void awaitedByRequest({ abandon }));
    expect(abandon).toHaveBeenCalledTimes(1);
  });

  it('leaves alone what has ended', () => {
    const response = openResponse();
    const work = { abandon: jest.fn() };
    runInRequest('id', response, () => awaitedByRequest(work)?.delete(work));
    response.emit('close');
    expect(work.abandon).not.toHaveBeenCalled();
  });

  it('does nothing outside of requests', () => {
    expect(awaitedByRequest({ abandon: jest.fn() })).toBeUndefined();
    expect(currentRequestId()).toBeUndefined();
  });
});
