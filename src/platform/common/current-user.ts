/** A role of the service, or one that an extension registers under `EXTRA_ROLES`. */
export type Role = string;

/** The service's own roles. Registration gives `engineer`; only the `users` command gives `admin`. */
export const ROLES: readonly Role[] = ['engineer', 'admin'];

/** The signed-in user as stored now, which may differ from the token. */
export interface CurrentUser {
  id: string;
  username: string;
  /** A registered role, or one of an extension that has been removed. The latter grants nothing. */
  role: Role;
}
