import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { callerOf } from './caller';

function asked(headers: object = {}) {
  const socket = { destroyed: false };
  const response = Object.assign(new EventEmitter(), { req: { socket }, closed: false, destroyed: false });
  const http = { getRequest: () => ({ ip: '10.0.0.1', headers }), getResponse: () => response };
  const caller = callerOf({ switchToHttp: () => http } as unknown as ExecutionContext);
  return { caller, response };
}

describe('the caller of a request', () => {
  it('is gone when the answer has closed, and not before', () => {
    const { caller, response } = asked();
    const { gone } = caller;
    expect(gone!.aborted).toBe(false);
    response.emit('close');
    expect(gone!.aborted).toBe(true);
    expect(caller.gone).toBe(gone);
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
    expect(response.listenerCount('close')).toBe(0);
  });
});
