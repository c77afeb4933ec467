import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { Role } from '../common/current-user';
import { ApiErrors } from '../openapi/responses';
import { text } from '../texts/text';

export const ROLES_OF_ROUTE = 'formula:roles-of-route';

/**
 * Admits only users with these roles to a route, or to all routes of a controller. Other users get 403. `admin` has
 * no special meaning here: name it to admit admins. Roles of a route replace those of its controller. The service
 * does not start with a role that is not registered.
 */
export const Roles = (...roles: Role[]) =>
  applyDecorators(SetMetadata(ROLES_OF_ROUTE, roles), ApiErrors({ 403: text('access.denied') }));
