/**
 * Returns the result of `work`, unless it takes longer than `milliseconds`.
 * @param tooLong called once after that time; returns the error to throw
 * @throws errors of `work`, and the result of `tooLong`
 */
export async function within<T>(
  milliseconds: number,
  tooLong: () => unknown,
  work: () => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- an error of the caller's
    timer = setTimeout(() => reject(tooLong()), milliseconds).unref();
  });
  try {
    return await Promise.race([work(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
