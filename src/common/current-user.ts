/** A role of the service, or one that an extension registers under `EXTRA_ROLES`. */
export type Role = string;

/** The service's own: `engineer` is what registration gives; `admin` comes from the `users` command only. */
export const ROLES: readonly Role[] = ['engineer', 'admin'];

/** The signed-in user as the user record says now, not as the token said when it was issued. */
export interface CurrentUser {
  id: string;
  username: string;
  /** Registered, or of an extension that has been taken out: then it gives no right. */
  role: Role;
}
