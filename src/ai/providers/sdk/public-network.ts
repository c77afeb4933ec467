import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { isPrivateAddress } from '../../../common/http/private-address';

/** A host name is resolved once for each connection: its address is checked and used, and cannot change in between. */
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

/** Connects by name to the public internet only. The caller looks at addresses written as numbers. */
export function publicNetwork(): Agent {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only where the setting asks for it
  const { Agent: UndiciAgent } = require('undici') as typeof import('undici');
  agent ??= new UndiciAgent({ connect: { lookup: publicLookup } });
  return agent;
}
