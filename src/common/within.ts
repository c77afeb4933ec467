/**
 * What `work` gives, unless it takes longer than `patience` milliseconds.
 * @param tooLong called then, once: what is thrown
 * @throws what `work` throws, and what `tooLong` gives
 */
export async function within<T>(
  patience: number,
  tooLong: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an error of the caller's
    timer = setTimeout(() => reject(tooLong()), patience).unref();
  });
  try {
    return await Promise.race([work(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
