import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { StallTimeout } from './stall-timeout';

const STALL_MS = 1000;

describe('StallTimeout', () => {
  let response: EventEmitter & { destroyed: boolean; writableFinished: boolean; destroy: jest.Mock };
  let waiting: number;
  let timeout: StallTimeout;

  beforeEach(() => {
    jest.useFakeTimers();
    const destroy = jest.fn(() => (response.destroyed = true));
    response = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false, destroy });
    waiting = 0;
    timeout = new StallTimeout(response as unknown as ServerResponse, () => waiting, STALL_MS);
  });
  afterEach(() => jest.useRealTimers());

  const send = (bytes: number): void => {
    waiting += bytes;
    timeout.expect(bytes);
  };

  it('disconnects who takes nothing of what waits, and be it a single byte, not a moment earlier', () => {
    send(1);
    jest.advanceTimersByTime(STALL_MS - 1);
    expect(response.destroy).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(response.destroy).toHaveBeenCalledTimes(1);
  });

  it('is patient with who takes a little each time', () => {
    send(10);
    for (waiting = 9; waiting > 0; waiting--) jest.advanceTimersByTime(STALL_MS);
    jest.advanceTimersByTime(10 * STALL_MS);
    expect(response.destroy).not.toHaveBeenCalled();
  });

  it('disconnects who has taken a little, and then nothing more', () => {
    send(10);
    waiting = 9;
    jest.advanceTimersByTime(2 * STALL_MS - 1);
    expect(response.destroy).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(response.destroy).toHaveBeenCalledTimes(1);
  });

  it('does not take more to send for something taken', () => {
    send(10);
    jest.advanceTimersByTime(STALL_MS - 1);
    send(10);
    jest.advanceTimersByTime(1);
    expect(response.destroy).toHaveBeenCalledTimes(1);
  });

  it('times nothing while nothing waits, and starts anew with the next message', () => {
    send(10);
    waiting = 0;
    jest.advanceTimersByTime(100 * STALL_MS);
    send(5);
    jest.advanceTimersByTime(STALL_MS);
    expect(response.destroy).toHaveBeenCalledTimes(1);
  });

  it.each(['destroyed', 'writableFinished'] as const)('leaves a response alone that is %s', (state) => {
    send(10);
    response[state] = true;
    jest.advanceTimersByTime(2 * STALL_MS);
    expect(response.destroy).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('keeps no process alive', () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    send(10);
    expect((set.mock.results[0]?.value as NodeJS.Timeout).hasRef()).toBe(false);
    set.mockRestore();
  });

  it.each(['close', 'finish'])('ends with the response (%s)', (event) => {
    send(10);
    response.emit(event);
    expect(jest.getTimerCount()).toBe(0);
  });
});
