import { namesPrivateHost } from '../../../common/http/private-address';
import { type ProviderAccess } from '../../../runtime-config/runtime-configuration';
import { boundedFetch } from './bounded-fetch';
import { publicNetwork } from './public-network';

/**
 * The runtime's fetch for a provider without an SDK, bounded as ours are: an answer of at most 8 MB, no
 * redirect followed, and where the address must be public no connection into this machine or its network.
 * What goes wrong is to become an `AiFailure`: `connection` where it rejects, `statusFailure` of an answer.
 */
export function providerFetch({ mustBePublic }: Pick<ProviderAccess, 'mustBePublic'>): typeof fetch {
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (mustBePublic && namesPrivateHost(address)) {
      return Promise.reject(new TypeError('The address leads into a private network'));
    }
    const dispatcher = mustBePublic && { dispatcher: publicNetwork() as never };
    return boundedFetch(input, { ...init, ...dispatcher, redirect: 'manual' });
  };
}
