import type { DiscoveryService } from '@nestjs/core';

interface Provided {
  token: unknown;
  instance?: unknown;
  host?: { name: string };
}

/** A module that provides nothing else. */
const moduleNamed = (name: string) => ({
  name,
  metatype: class {},
  container: { getDynamicMetadataByToken: () => [] },
});

/** Finds these providers, as Nest finds those of the default scope. */
export const discovering = (...provided: Provided[]): DiscoveryService =>
  ({
    getProviders: () =>
      provided.map(({ host, ...each }) => ({
        isDependencyTreeStatic: () => true,
        ...each,
        ...(host && { host: moduleNamed(host.name) }),
      })),
  }) as unknown as DiscoveryService;
