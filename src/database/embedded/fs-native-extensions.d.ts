/** The part of the package that we use; it ships no types. */
declare module 'fs-native-extensions' {
  /** Asks the kernel for an exclusive lock on an open file; false when another open file holds it. */
  export function tryLock(fd: number): boolean;
  export function unlock(fd: number): void;
}
