import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { requestContext, runInRequest } from './request-context';

function openResponse(): ServerResponse {
  const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
  response.assignSocket(new Socket());
  return response;
}

const signalOf = (response: ServerResponse): AbortSignal => {
  let signal: AbortSignal | undefined;
  runInRequest('id', response, () => (signal = requestContext.getStore()?.signal));
  return signal!;
};

describe('the signal of a request', () => {
  it('aborts when its client disconnects', () => {
    const response = openResponse();
    const signal = signalOf(response);
    expect(signal.aborted).toBe(false);
    response.emit('close');
    expect(signal.aborted).toBe(true);
  });

  it('does not abort once the answer has been sent', () => {
    const response = openResponse();
    const signal = signalOf(response);
    Object.defineProperty(response, 'writableFinished', { value: true });
    response.emit('close');
    expect(signal.aborted).toBe(false);
  });

  it('has aborted already when the client disconnected before', () => {
    const response = openResponse();
    response.req.socket.destroy();
    expect(signalOf(response).aborted).toBe(true);
  });

  it('is one for the whole request', () => {
    runInRequest('id', openResponse(), () => {
      const context = requestContext.getStore();
      expect(context?.signal).toBe(context?.signal);
    });
  });
});

it('a request is found in callbacks, and not outside of it', async () => {
  const idInTimer = () =>
    new Promise((resolve) => setTimeout(() => resolve(requestContext.getStore()?.requestId), 1));
  let found: Promise<unknown> | undefined;
  runInRequest('id', openResponse(), () => void (found = idInTimer()));
  expect(await found).toBe('id');
  expect(await idInTimer()).toBeUndefined();
});
