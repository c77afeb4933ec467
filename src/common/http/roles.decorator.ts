import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { Role } from '../current-user';
import { ApiErrors } from '../openapi/responses';
import { text } from '../texts/text';

export const ROLES_OF_ROUTE = 'formula:roles-of-route';

/**
 * Admits users of these roles only, to a route or to all routes of a controller; who has another is answered
 * 403. `admin` is a role like the others: name it where admins are to pass. What a route says replaces what
 * its controller says. A name that is not registered refuses the start.
 */
export const Roles = (...roles: Role[]) =>
  applyDecorators(SetMetadata(ROLES_OF_ROUTE, roles), ApiErrors({ 403: text('access.denied') }));
