import { isIP } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';
import { requestContext } from '../common/request-context';

/** Many users may share an address, so an address may have this many times the limits of one user. */
export const ADDRESS_FACTOR = 10;

const ADDRESS = 'address|';
const USER = 'user|';

const CLIENT = Symbol('client');
const COUNTING = Symbol('counting');

/**
 * Returns the client's address; behind a trusted proxy, the one that the proxy names. If the proxy names something
 * that is not an IP address (a host name, an address with a port), the socket's address is used: a client cannot
 * get a new address by sending nonsense.
 */
export const addressOf = ({ ip = '', socket }: Request): string =>
  networkOf(isIP(ip) ? ip : socket.remoteAddress);

/** Returns an address in its short form; for IPv6 its /64 network, all of which belongs to one client. */
const networkOf = (ip = ''): string => normalizeIp(ip, 64);

export const userClient = (id: string): string => USER + id;
export const addressClient = (request: Request): string => ADDRESS + addressOf(request);
export const isAddressClient = (client: string): boolean => client.startsWith(ADDRESS);

/** Stores on the request the client that it counts for. Called by the rate limit. */
export const keepClient = (request: object, client: string): string =>
  ((request as { [CLIENT]?: string })[CLIENT] = client);

/** Returns true if the rate limit has counted the request. */
export const isCounted = (request: object): boolean => CLIENT in request;

/** Returns the client that a request counts for: the user of a validly signed token, else the address. */
export const clientOf = (request: Request): string =>
  (request as { [CLIENT]?: string })[CLIENT] ?? addressClient(request);

/** Returns the address of the current request, even if it has a valid token; outside requests, `process`. */
export function currentAddress(): string {
  const response = requestContext.getStore()?.response;
  return response ? addressClient(response.req as Request) : 'process';
}

type Count = (client: string) => Promise<unknown>;

/** Stores a function that counts the request later, when its client is known. */
export const countLater = (request: object, count: Count): void => {
  (request as { [COUNTING]?: Count })[COUNTING] = count;
};

/**
 * Counts a request that was passed to `countLater`, once. Does nothing if it was counted before.
 * @throws TooManyRequestsError
 */
export async function countAs(request: object, client: string): Promise<void> {
  const left = request as { [COUNTING]?: Count };
  const count = left[COUNTING];
  if (!count) return;
  left[COUNTING] = undefined;
  await count(keepClient(request, client));
}
