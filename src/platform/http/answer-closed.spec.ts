import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { markHandled, onceHandled } from './answer-closed';

describe('onceHandled', () => {
  let response: ServerResponse;
  let listener: jest.Mock;

  beforeEach(() => {
    response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
    response.assignSocket(new PassThrough() as unknown as Socket);
    listener = jest.fn();
  });

  const leave = () => void Object.assign(response, { destroyed: true }).emit('close');

  it('calls back once, when the handler has answered, and says whether with a stream', () => {
    onceHandled(response, listener);
    markHandled(response, true);
    markHandled(response);
    expect(listener.mock.calls).toEqual([[true]]);
  });

  it('waits for the handler when the client has gone', () => {
    onceHandled(response, listener);
    leave();
    expect(listener).not.toHaveBeenCalled();
    response.end();
    expect(listener.mock.calls).toEqual([[false]]);
  });

  it('waits for the handler when the client had gone before', () => {
    leave();
    onceHandled(response, listener);
    expect(listener).not.toHaveBeenCalled();
    response.end();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('calls back for an answer that the handler has sent itself', () => {
    onceHandled(response, listener);
    response.end('sent');
    response.emit('close');
    expect(listener.mock.calls).toEqual([[false]]);
  });
});
