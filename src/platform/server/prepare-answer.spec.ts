import { ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import type { Answers } from './answers';
import { prepareAnswer } from './prepare-answer';

it('lets any number of statements of a request listen for its end', () => {
  const request = { headers: { host: 'a' }, rawHeaders: ['Host', 'a'], httpVersion: '1.1' } as Request;
  const response = new ServerResponse(request) as Response;
  const next = jest.fn();
  prepareAnswer({ isWatched: false } as Answers)(request, response, next);
  expect(next).toHaveBeenCalledWith();
  expect(response.getMaxListeners()).toBe(0);
});
