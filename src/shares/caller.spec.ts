import { EventEmitter, getEventListeners } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { beginWait, callerIn, callerOf } from './caller';
import { Patience, REQUEST_PATIENCE_MS } from './patience';

function asked(headers: object = {}) {
  const socket = { destroyed: false };
  const response = Object.assign(new EventEmitter(), { req: { socket }, closed: false, destroyed: false });
  const http = { getRequest: () => ({ ip: '10.0.0.1', headers }), getResponse: () => response };
  const caller = callerIn({ switchToHttp: () => http } as unknown as ExecutionContext);
  return { caller, response };
}

describe('the caller of a request', () => {
  it('is gone when the answer has closed, and not before', () => {
    const { caller, response } = asked();
    const gone = caller.gone!;
    const left = jest.fn();
    gone.addEventListener('abort', left);
    expect(gone.aborted).toBe(false);
    response.closed = true;
    response.emit('close');
    expect(gone.aborted).toBe(true);
    expect(left).toHaveBeenCalledTimes(1);
  });

  it('is found with the request alone, whose answer Express keeps with it', () => {
    const { response } = asked();
    const user = { id: 'lin' };
    const caller = callerOf({ ip: '10.0.0.1', headers: {}, user, res: response } as unknown as Request);
    expect(caller).toMatchObject({ user, client: 'address|10.0.0.1', hasLargeBody: true });
    expect(caller.gone!.aborted).toBe(false);
    response.closed = true;
    expect(caller.gone!.aborted).toBe(true);
  });

  it('tells nobody who no longer listens that it is gone', () => {
    const { caller, response } = asked();
    const left = jest.fn();
    caller.gone!.addEventListener('abort', left);
    caller.gone!.removeEventListener('abort', left);
    response.emit('close');
    expect(left).not.toHaveBeenCalled();
    expect(response.listenerCount('close')).toBe(0);
  });

  it('is gone when the answer had closed before anybody asked', () => {
    const { caller, response } = asked();
    response.closed = true;
    expect(caller.gone!.aborted).toBe(true);
  });

  it.each([
    ['8192', false],
    ['8193', true],
  ])('with %s bytes has sent a large body: %s', (length, isLarge) => {
    expect(asked({ 'content-length': length }).caller.hasLargeBody).toBe(isLarge);
  });

  it('has one patience for all its waits, and listens to nothing while it waits for nothing', () => {
    const { caller, response } = asked();
    expect(caller.patience).toBe(caller.patience);
    expect(caller.gone!.aborted).toBe(false);
    expect(response.listenerCount('close')).toBe(0);
  });
});

describe('a wait', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function begin(patience?: Patience) {
    const gone = new AbortController();
    const lost = jest.fn();
    const end = beginWait({ client: 'x', gone: gone.signal, patience }, lost);
    return { gone, lost, end, listeners: () => getEventListeners(gone.signal, 'abort').length };
  }

  it('is lost when its client has gone, once: not again when its time would be over', () => {
    const { gone, lost, listeners } = begin();
    gone.abort();
    expect(lost).toHaveBeenCalledTimes(1);
    expect([listeners(), jest.getTimerCount()]).toEqual([0, 0]);
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS);
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('is lost when its time is over, not before, and not again when its client goes', () => {
    const { gone, lost, listeners } = begin();
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS - 1);
    expect(lost).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect([lost.mock.calls.length, listeners()]).toEqual([1, 0]);
    gone.abort();
    expect(lost).toHaveBeenCalledTimes(1);
  });

  it('that has ended is lost no more, and leaves nothing behind', () => {
    const { gone, lost, end, listeners } = begin();
    end();
    expect([listeners(), jest.getTimerCount()]).toEqual([0, 0]);
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS);
    gone.abort();
    expect(lost).not.toHaveBeenCalled();
  });

  it('that somebody else ends who is told first that its client has gone is not lost', () => {
    const { caller, response } = asked();
    const lost = jest.fn();
    response.once('close', () => end());
    const end = beginWait(caller, lost);
    response.emit('close');
    expect(lost).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('has what the waits before it have left of the patience, and one that was lost leaves nothing', () => {
    const patience = new Patience();
    const first = begin(patience);
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS - 1000);
    first.end();
    // Work between two waits takes nothing of it.
    jest.advanceTimersByTime(REQUEST_PATIENCE_MS);
    const second = begin(patience);
    jest.advanceTimersByTime(999);
    expect(second.lost).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(second.lost).toHaveBeenCalledTimes(1);
    const third = begin(patience);
    jest.advanceTimersByTime(1);
    expect(third.lost).toHaveBeenCalledTimes(1);
  });
});
