import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type Role, ROLES } from './current-user';
import { InvalidInputError } from './errors/service-error';
import { ExtensionError, placedUnder } from './extension-tokens';
import { text } from '../texts/text';

/**
 * Token under which any module provides names of additional roles, one or a list. A name has 1 to 50 characters:
 * lower-case letters a to z, digits, `-` and `_`.
 */
export const EXTRA_ROLES = Symbol('EXTRA_ROLES');

/** The format that the database accepts. */
const NAME = /^[a-z0-9_-]{1,50}$/;

/** The roles that an account can have: the service's own and those of extensions. */
@Injectable()
export class RegisteredRoles implements OnModuleInit {
  /** All names, once modules are initialised. */
  registered?: ReadonlySet<unknown>;

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws ExtensionError if a name is invalid, or two modules register the same one */
  onModuleInit(): void {
    this.registered ??= this.find();
  }

  /** All names, the service's own first. Available to modules that are initialised earlier, too. */
  get names(): readonly Role[] {
    return [...(this.registered ??= this.find())] as Role[];
  }

  has(role: unknown): role is Role {
    return (this.registered ??= this.find()).has(role);
  }

  /** @throws InvalidInputError listing the registered roles */
  check(role: Role): void {
    if (this.has(role)) return;
    const message = text('field.none-of', { values: this.names.join(', ') });
    throw InvalidInputError.of([{ field: 'role', message }]);
  }

  private find(): ReadonlySet<unknown> {
    const places = new Map<unknown, string>(ROLES.map((role) => [role, 'the service itself']));
    for (const { place, value } of placedUnder(EXTRA_ROLES, this.discovery)) {
      for (const name of [value].flat<unknown[]>()) {
        if (typeof name !== 'string' || !NAME.test(name)) {
          throw new ExtensionError(
            `EXTRA_ROLES in ${place} must be names of 1 to 50 lower-case letters, digits, - and _.`,
          );
        }
        const other = places.get(name);
        if (other !== undefined) {
          // Two modules may use one name for different things. Their rights would add up unnoticed.
          throw new ExtensionError(
            `EXTRA_ROLES has ${name} in ${place} and in ${other}: a role is registered once.`,
          );
        }
        places.set(name, place);
      }
    }
    return new Set(places.keys());
  }
}
