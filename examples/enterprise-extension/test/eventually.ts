/** Repeats assertions about what happens in the background until they hold, for at most 20 s. */
export async function eventually(assertions: () => Promise<void> | void): Promise<void> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      return await assertions();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
