/** `engineer` is what registration gives; `admin` comes from the `users` command only. */
export type Role = 'engineer' | 'admin';
export const ROLES: readonly Role[] = ['engineer', 'admin'];

/** The signed-in user as the user record says now, not as the token said when it was issued. */
export interface CurrentUser {
  id: string;
  username: string;
  role: Role;
}
