import { namesPrivateHost } from '../../../platform/http/private-address';
import { type ProviderAccess } from '../../../platform/runtime-config/runtime-configuration';
import { boundedFetch } from './bounded-fetch';
import { publicNetwork } from './public-network';

/**
 * Returns a fetch for a provider without an SDK, with the limits of the built-in ones: answers of at most 8 MB,
 * no redirects, and, if the address must be public, no connection into a private network. The provider converts
 * errors into an `AiFailure`: `connection` if the promise rejects, `statusFailure` for an error status.
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
