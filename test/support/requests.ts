import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { keepClient } from '../../src/platform/http/client';
import { runInRequest } from '../../src/platform/common/request-context';

/**
 * Work of a request of this client, which may go away.
 * @param ip absent: if the client is an address, it has sent the request
 */
export function inRequest<T>(client: string, work: () => Promise<T>, ip?: string) {
  const request = {
    socket: new Socket(),
    ip: ip ?? /^address\|(.*)$/.exec(client)?.[1],
  } as unknown as IncomingMessage;
  keepClient(request, client);
  const response = new ServerResponse(request);
  let answer!: Promise<T>;
  runInRequest('request', response, () => void (answer = work()));
  return { answer, response, leave: () => void response.emit('close') };
}
