/** The part of the package that we use; it ships no types. */
declare module 'fs-native-extensions' {
  /** Asks the kernel for an exclusive lock on a file or a range of it; false when another has it. */
  export function tryLock(fd: number, offset?: number, length?: number): boolean;
  export function unlock(fd: number): void;
}
