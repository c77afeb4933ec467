import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { requestContext } from '../request-context';

/** An IPv6 client has a whole /64 of addresses to choose from: all of it counts as one. */
const IPV6_PREFIX = 64;

/**
 * Many users may share an address: what one client may have at once or in a window, it has this many times.
 */
export const ADDRESS_FACTOR = 10;

const ADDRESS = 'address|';
const USER = 'user|';

const CLIENT = Symbol('client');
const COUNTING = Symbol('counting');

/**
 * The address a request came from; behind a trusted proxy the one the proxy names. What is named and is no
 * address (a name, one with a port) counts as the socket's: nobody gets a new one by writing nonsense.
 */
export const addressOf = ({ ip = '', socket }: Request): string =>
  networkOf(isIP(ip) ? ip : socket.remoteAddress);

/** An address in its short form; of IPv6 its network. */
const networkOf = (ip = ''): string => normalizeIp(ip, IPV6_PREFIX);

export const userClient = (id: string): string => USER + id;
export const addressClient = (request: Request): string => ADDRESS + addressOf(request);
export const isAddressClient = (client: string): boolean => client.startsWith(ADDRESS);

/** Keeps with a request whose share it takes, as the rate limit has found out. */
export const keepClient = (request: object, client: string): string =>
  ((request as { [CLIENT]?: string })[CLIENT] = client);

/** Whether the rate limit has seen a request. */
export const isCounted = (request: object): boolean => CLIENT in request;

/** Whose share a request takes: the user's of a well-signed token, else the address's. */
export const clientOf = (request: Request): string =>
  (request as { [CLIENT]?: string })[CLIENT] ?? addressClient(request);

/** The address that the current request came from, whoever signed it; outside of requests, the process. */
export function currentAddress(): string {
  const response = requestContext.getStore()?.response;
  return response ? addressClient(response.req as Request) : 'process';
}

type Count = (client: string) => Promise<unknown>;

/** Leaves a request to be counted by the rate limit when it is known whose it is. */
export const countLater = (request: object, count: Count): void => {
  (request as { [COUNTING]?: Count })[COUNTING] = count;
};

/**
 * Says whose share a request takes that was left to be counted, once; nothing where it was counted before.
 * @throws TooManyRequestsError
 */
export async function countAs(request: object, client: string): Promise<void> {
  const left = request as { [COUNTING]?: Count };
  const count = left[COUNTING];
  if (!count) return;
  left[COUNTING] = undefined;
  await count(keepClient(request, client));
}
