import { type DiscoveryService } from '@nestjs/core';

/** The instances that all modules of the application provide under a token. */
export function providedUnder<T>(token: symbol, discovery: DiscoveryService): T[] {
  return discovery
    .getProviders()
    .filter((wrapper) => wrapper.token === token)
    .map((wrapper) => wrapper.instance as T);
}
