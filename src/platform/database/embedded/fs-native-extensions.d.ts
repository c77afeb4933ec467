/** Types of the functions that the service uses; the package has none. */
declare module 'fs-native-extensions' {
  /** Requests an exclusive kernel lock on a file or a range of it; false if another process holds one. */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
  export function unlock(fd: number): void;
}
