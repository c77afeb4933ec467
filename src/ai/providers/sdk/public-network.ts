import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPrivateAddress } from '../../../platform/http/private-address';

/** Resolves a host name once for each connection, so the address that is checked is the one that is used. */
export const publicLookup: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    if (addresses.some(({ address }) => isPrivateAddress(address))) {
      return callback(new Error('The name leads into a private network'), []);
    }
    if (options.all) return callback(null, addresses);
    const [first] = addresses;
    return callback(null, first!.address, first!.family);
  });

let agent: Agent | undefined;

/** Returns an agent that connects host names to the public internet only. The caller checks numeric addresses. */
export function publicNetwork(): Agent {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if the setting requires it
  const { Agent: UndiciAgent } = require('undici') as typeof import('undici');
  agent ??= new UndiciAgent({ connect: { lookup: publicLookup } });
  return agent;
}
